import { useId, type ReactNode } from 'react';
import classes from './Dialog.module.css';
import { Modal } from './Modal';

interface DialogProps {
  title: string;
  /** For content in columns. */
  wide?: boolean;
  children: ReactNode;
  onClose: () => void;
}

/** A modal dialog with a heading. The button or field with `focusFirst` takes the focus. */
export function Dialog({ title, wide = false, children, onClose }: DialogProps) {
  const titleId = useId();
  return (
    <Modal
      className={classes.dialog}
      data-wide={wide || undefined}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <h2 id={titleId} className={classes.title}>
        {title}
      </h2>
      {children}
    </Modal>
  );
}

export function DialogText({ role, children }: { role?: 'alert'; children: ReactNode }) {
  return (
    <p className={classes.text} role={role}>
      {children}
    </p>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
