import { useState } from 'react';
import { useLive } from '@/session/live';
import { IconButton } from '@/ui/IconButton';
import { formatCount } from '@/ui/numbers';
import classes from './InboxButton.module.css';
import { InboxDialog } from './InboxDialog';

/** Opens the member's inbox, and says how many entries are unread. */
export function InboxButton() {
  const unread = useLive((live) => live.unread);
  const [isOpen, setOpen] = useState(false);
  return (
    <span className={classes.button}>
      <IconButton
        kind="bare"
        label={unread > 0 ? `Inbox, ${formatCount(unread)} unread` : 'Inbox'}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <path d="M2 9.5l2-6h8l2 6v3H2zM2 9.5h3.5l1 1.5h3l1-1.5H14" />
      </IconButton>
      {unread > 0 && (
        <span className={classes.count} aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
      {isOpen && <InboxDialog onClose={() => setOpen(false)} />}
    </span>
  );
}
