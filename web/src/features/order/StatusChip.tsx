import type { ProcessStatus } from '@/api/types';
import classes from './StatusChip.module.css';
import { statusLabel, statusTone } from './statuses';

export function StatusChip({ status }: { status: ProcessStatus }) {
  return (
    <span className={classes.chip} data-tone={statusTone(status)}>
      {statusLabel(status)}
    </span>
  );
}
