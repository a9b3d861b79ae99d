import classes from './ListNotice.module.css';
import { Button } from './Button';
import { TryAgain } from './TryAgain';

interface ListNoticeProps {
  text: string;
  reason?: string;
  action?: { label: string; onClick: () => void } | undefined;
  /** Loads the rows again. */
  onRetry?: () => void;
}

/** Shown in place of rows: there are none, or they could not be loaded. */
export function ListNotice({ text, reason, action, onRetry }: ListNoticeProps) {
  return (
    <div className={classes.notice}>
      <strong>{text}</strong>
      {reason && <span>{reason}</span>}
      {onRetry && <TryAgain onClick={onRetry} />}
      {action && <Button onClick={action.onClick}>{action.label}</Button>}
    </div>
  );
}
