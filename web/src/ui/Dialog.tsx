import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import classes from './Dialog.module.css';

interface DialogProps {
  title: string;
  /** For content in columns. */
  wide?: boolean;
  children: ReactNode;
  onClose: () => void;
}

/**
 * A modal dialog on the browser's own element, which traps and returns the focus and needs no
 * style of its own in the page. Mark what takes the focus first with `data-autofocus`.
 */
export function Dialog({ title, wide = false, children, onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => dialog?.close();
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
