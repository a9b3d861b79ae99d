import { useLayoutEffect, useRef, type ComponentProps } from 'react';
import { showToastsIn } from './toastPlace';

interface ModalProps extends Omit<ComponentProps<'dialog'>, 'onClose' | 'ref'> {
  /** Escape was pressed, or the backdrop with `backdropCloses`. */
  onClose: () => void;
  backdropCloses?: boolean;
}

/**
 * The browser's own modal dialog, which traps and returns the focus and needs no style in the page. The control with
 * `data-autofocus` takes the focus. Toasts are shown inside.
 */
export function Modal({ onClose, backdropCloses = false, ...dialog }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);
  useLayoutEffect(() => {
    const element = ref.current!;
    element.showModal();
    element.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    const releaseToasts = showToastsIn(element);
    return () => {
      releaseToasts();
      element.close();
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- the keyboard has Escape
    <dialog
      {...dialog}
      ref={ref}
      onCancel={(event) => {
        // React hands over that of a dialog inside as well.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // The content fills the dialog: only the backdrop is clicked as the dialog itself. A press inside that ends outside,
      // such as selecting a text, is no click on it.
      onPointerDown={({ target, currentTarget }) => {
        isPressedOutside.current = target === currentTarget;
      }}
      onClick={({ target, currentTarget }) => {
        if (backdropCloses && isPressedOutside.current && target === currentTarget) onClose();
      }}
    />
  );
}
