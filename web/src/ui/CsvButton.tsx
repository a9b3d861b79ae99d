import { useState } from 'react';
import { Button } from './Button';
import { HiddenText } from './HiddenText';
import { saveFile } from './saveFile';

interface CsvButtonProps {
  load: (signal: AbortSignal) => Promise<{ name: string; content: Blob }>;
  onFailure: (error: unknown) => void;
}

/** A button that saves the shown data as a CSV file. While the file is loading, the same button cancels it. */
export function CsvButton({ load, onFailure }: CsvButtonProps) {
  const [loading, setLoading] = useState<AbortController | null>(null);
  const save = async () => {
    const controller = new AbortController();
    setLoading(controller);
    try {
      const { name, content } = await load(controller.signal);
      saveFile(content, name);
    } catch (error) {
      if (!controller.signal.aborted) onFailure(error);
    } finally {
      setLoading(null);
    }
  };
  return (
    <>
      <Button
        aria-label={loading ? undefined : 'Download as CSV'}
        onClick={loading ? () => loading.abort() : () => void save()}
      >
        {loading ? 'Loading… Cancel' : 'CSV'}
      </Button>
      <HiddenText role="status">{loading && 'The file is loading'}</HiddenText>
    </>
  );
}
