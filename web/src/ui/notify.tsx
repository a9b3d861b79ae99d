import { useEffect, useState } from 'react';
import { toast } from 'react-toastify/unstyled';
import { now } from './clock';
import classes from './notify.module.css';

/** A way to answer a toast, such as Undo. */
export interface ToastAction {
  label: string;
  onClick: () => void;
  /** When it is no longer possible, in ISO 8601; undefined: it always is. */
  until?: string;
}

export interface NotifyOptions {
  action?: ToastAction;
  /** Toasts with one id show once. */
  id?: string;
}

export const notify = {
  success: (message: string, options?: NotifyOptions) =>
    toast.success(<Content message={message} action={options?.action} />, {
      toastId: options?.id,
      role: 'status',
    }),
  error: (message: string, options?: NotifyOptions) =>
    toast.error(<Content message={message} action={options?.action} />, {
      toastId: options?.id,
      role: 'alert',
      // An error with an action stays until it is closed: there is no hurry to decide.
      ...(options?.action && { autoClose: false }),
    }),
  /** Closes all toasts. Their actions are gone at once. */
  closeAll: () => toast.dismiss(),
};

interface ContentProps {
  message: string;
  action: ToastAction | undefined;
  closeToast?: () => void;
  /** Not in: the toast is closing. */
  toastProps?: { isIn: boolean };
}

function Content({ message, action, closeToast, toastProps }: ContentProps) {
  const isLate = useIsOver(action?.until);
  const isOver = isLate || toastProps?.isIn === false;
  return (
    <div className={classes.content}>
      <span>{message}</span>
      {action && !isOver && (
        <button
          type="button"
          className={classes.action}
          onClick={() => {
            closeToast?.();
            action.onClick();
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}

/** Returns true once the time `until` has come. */
function useIsOver(until: string | undefined): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (until === undefined) return;
    const left = new Date(until).getTime() - now().getTime();
    const timer = setTimeout(() => setOver(true), left);
    return () => clearTimeout(timer);
  }, [until]);
  return isOver;
}
