import classes from './ListNotice.module.css';

interface ListNoticeProps {
  text: string;
  reason?: string;
  action?: { label: string; onClick: () => void };
}

/** What stands where the rows would be: that there are none, or why they did not come. */
export function ListNotice({ text, reason, action }: ListNoticeProps) {
  return (
    <div className={classes.notice}>
      <strong>{text}</strong>
      {reason && <span>{reason}</span>}
      {action && (
        <button type="button" className="button" onClick={action.onClick}>
          {action.label}
        </button>
      )}
    </div>
  );
}
