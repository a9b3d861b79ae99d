import { useState } from 'react';
import { saveFile } from './saveFile';
import { Button } from './Button';

interface CsvButtonProps {
  load: () => Promise<{ name: string; content: Blob }>;
  onFailure: (error: unknown) => void;
}

/** A button that saves the shown data as a CSV file. */
export function CsvButton({ load, onFailure }: CsvButtonProps) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { name, content } = await load();
      saveFile(content, name);
    } catch (error) {
      onFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button aria-label="Download as CSV" disabled={busy} onClick={() => void save()}>
      CSV
    </Button>
  );
}
