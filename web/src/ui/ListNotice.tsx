import classes from './ListNotice.module.css';
import { Button } from './Button';
import { TryAgain } from './TryAgain';

interface ListNoticeProps {
  text: string;
  /** The text is the heading of the page. */
  isTitle?: boolean;
  reason?: string;
  action?: { label: string; onClick: () => void } | undefined;
  /** Loads the rows again. */
  onRetry?: () => void;
}

/** Shown in place of rows: there are none, or they could not be loaded. */
export function ListNotice({ text, isTitle, reason, action, onRetry }: ListNoticeProps) {
  const Text = isTitle ? 'h1' : 'strong';
  return (
    <div className={classes.notice}>
      <Text className={classes.text}>{text}</Text>
      {reason && <span>{reason}</span>}
      {onRetry && <TryAgain onClick={onRetry} />}
      {action && <Button onClick={action.onClick}>{action.label}</Button>}
    </div>
  );
}
