import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './Dialog.module.css';
import { showToastsIn } from './toastPlace';

interface DialogProps {
  title: string;
  /** For content in columns. */
  wide?: boolean;
  children: ReactNode;
  onClose: () => void;
}

/**
 * A modal dialog on the browser's own element, which traps and returns the focus and needs no
 * style in the page. The button or field with `focusFirst` takes the focus.
 */
export function Dialog({ title, wide = false, children, onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    const releaseToasts = showToastsIn(dialog);
    return () => {
      releaseToasts();
      dialog.close();
    };
  }, []);

  return (
    <dialog
      ref={ref}
      className={classes.dialog}
      data-wide={wide || undefined}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId} className={classes.title}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** The text of a dialog. */
export function DialogText({ role, children }: { role?: 'alert'; children: ReactNode }) {
  return (
    <p className={classes.text} role={role}>
      {children}
    </p>
  );
}

/** The buttons of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>;
}
