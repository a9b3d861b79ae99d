import type { ReactNode } from 'react';
import classes from './Drawer.module.css';
import { IconButton } from './IconButton';
import { Modal } from './Modal';

interface DrawerProps {
  /** Its accessible name. */
  label: string;
  /** Shown beside the button that closes it. */
  head: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** A modal panel over the start of the screen. Escape, the backdrop and its button close it. */
export function Drawer({ label, head, children, onClose }: DrawerProps) {
  return (
    <Modal className={classes.drawer} aria-label={label} backdropCloses onClose={onClose}>
      <div className={classes.content}>
        <div className={classes.head}>
          {head}
          <IconButton kind="bare" label="Close menu" onClick={onClose}>
            <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" />
          </IconButton>
        </div>
        {children}
      </div>
    </Modal>
  );
}
