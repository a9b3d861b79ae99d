import classes from './ListNotice.module.css';
import { Button } from './Button';

interface ListNoticeProps {
  text: string;
  reason?: string;
  action?: { label: string; onClick: () => void };
}

/** Shown in place of rows: there are none, or they could not be loaded. */
export function ListNotice({ text, reason, action }: ListNoticeProps) {
  return (
    <div className={classes.notice}>
      <strong>{text}</strong>
      {reason && <span>{reason}</span>}
      {action && <Button onClick={action.onClick}>{action.label}</Button>}
    </div>
  );
}
