import { useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './Drawer.module.css';
import { IconButton } from './IconButton';
import { showToastsIn } from './toastPlace';

interface DrawerProps {
  /** Its accessible name. */
  label: string;
  /** Shown beside the button that closes it. */
  head: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/**
 * A panel over the start of the screen. As a modal dialog of the browser it keeps the focus, and Escape, the backdrop
 * and its button close it.
 */
export function Drawer({ label, head, children, onClose }: DrawerProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    const releaseToasts = showToastsIn(dialog);
    return () => {
      releaseToasts();
      dialog.close();
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the keyboard has Escape and the button
    <dialog
      ref={ref}
      className={classes.drawer}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // The content fills the dialog: only the backdrop is clicked as the dialog itself.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={classes.content}>
        <div className={classes.head}>
          {head}
          <IconButton kind="bare" label="Close menu" onClick={onClose}>
            <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" />
          </IconButton>
        </div>
        {children}
      </div>
    </dialog>
  );
}
