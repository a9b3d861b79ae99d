import { useState } from 'react';
import { notify } from './notify';
import { saveFile } from './saveFile';

/** A button that saves what is shown as a CSV file. */
export function CsvButton({ load }: { load: () => Promise<{ name: string; content: Blob }> }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { name, content } = await load();
      saveFile(content, name);
    } catch (error) {
      notify.error(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      className="button"
      aria-label="Download as CSV"
      disabled={busy}
      onClick={() => void save()}
    >
      CSV
    </button>
  );
}
