import { statusLabel } from '@/i18n/statusLabel';
import type { ProcessStatus } from '@/api/types';
import { Chip } from '@/ui/Chip';
import { STATUSES } from './statuses';
import classes from './StatusChip.module.css';

export function StatusChip({ status }: { status: ProcessStatus }) {
  return <Chip tone={STATUSES[status].tone}>{statusLabel(status)}</Chip>;
}

interface StatusWordProps {
  status: ProcessStatus;
  /** The text in place of the status, such as the folder that it leads to. */
  word?: string;
}

/** The status in a list: a dot in its colour and its word. */
export function StatusWord({ status, word = statusLabel(status) }: StatusWordProps) {
  return (
    <span className={classes.status} data-tone={STATUSES[status].tone}>
      {word}
    </span>
  );
}
