import { useState } from 'react';
import type { KitFile, OrderFiling } from '@/api/types';
import { notifyFailure } from '@/session/notifyFailure';
import { Button } from '@/ui/Button';
import { sizeText } from '@/ui/numbers';
import { saveFile } from '@/ui/saveFile';
import { plainDate } from '@/ui/times';
import { mediaTypeText } from '../format';
import classes from './filing.module.css';
import { FilingPart } from './FilingPart';
import { loadKit } from './filingQuery';

/** The files for the portal, and their download as one. */
export function FilingKit({ orderId, filing }: { orderId: number; filing: OrderFiling }) {
  const [busy, setBusy] = useState(false);
  const taken = filing.files.filter(({ problem }) => problem === null);
  const isKnown = taken.every((file) => !file.is_from_pdf);
  const bytes = taken.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const download = async () => {
    setBusy(true);
    try {
      const { name, content } = await loadKit(orderId);
      saveFile(content, name);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <FilingPart
      id="filing-kit"
      number={2}
      title="Upload the kit"
      beside={<span className={classes.soft}>limits as of {plainDate(filing.limits_as_of)}</span>}
    >
      {filing.files.length === 0 && (
        <p className={classes.text}>This order has no documents yet.</p>
      )}
      <ul className={classes.files}>
        {filing.files.map((file) => (
          <li key={file.name} data-problem={file.problem ?? undefined}>
            <span title={file.label}>{file.name}</span>
            <span className={classes.soft}>{noteOf(file)}</span>
          </li>
        ))}
      </ul>
      {taken.length > 0 && (
        <p className={classes.actions}>
          <Button kind="primary" busy={busy} onClick={() => void download()}>
            {busy ? 'Packing…' : 'Download kit'}
          </Button>
          <span className={classes.soft}>one zip{isKnown && `, ${sizeText(bytes)}`}</span>
        </p>
      )}
    </FilingPart>
  );
}

function noteOf({ media_type, size_bytes, is_from_pdf, problem, max_bytes }: KitFile): string {
  const size = sizeText(size_bytes);
  if (problem === 'too_big')
    return `left out: ${size}, the portal takes ${sizeText(max_bytes ?? 0)}`;
  if (problem === 'wrong_format')
    return `left out: the portal does not accept ${mediaTypeText(media_type)}`;
  return is_from_pdf ? 'image from PDF, page 1' : `${mediaTypeText(media_type)} · ${size}`;
}
