import { Button } from '@/ui/Button';
import classes from './LogContact.module.css';

/** Offers to note for the team that the customer was written to. */
export function LogContact({ onLog }: { onLog: () => void }) {
  return (
    <div className={classes.offer} role="status">
      <span>Did you send the message? Log it for the team.</span>
      <Button small onClick={onLog}>
        Log as comment
      </Button>
    </div>
  );
}
