import { useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { Bounce, ToastContainer, type ToastTransitionProps } from 'react-toastify/unstyled';
import 'react-toastify/ReactToastify.css';
import { placeToasts, toastPlace } from './toastPlace';
import './Toasts.css';

/** The toasts, on top of everything. They stay light in the dark as well. */
export function Toasts() {
  useLayoutEffect(() => {
    placeToasts();
    return () => toastPlace.remove();
  }, []);
  return createPortal(
    <ToastContainer
      position="top-right"
      autoClose={5000}
      pauseOnHover
      pauseOnFocusLoss
      transition={Arrival}
      draggable
      theme="light"
    />,
    toastPlace,
  );
}

/**
 * Brings a toast in, after which its time runs: unless the pointer is on it by then. The library would run the time of such a toast,
 * and it would close below the pointer.
 */
function Arrival({ playToast, ...toast }: ToastTransitionProps) {
  const play = () => {
    if (!toast.nodeRef.current?.matches(':hover')) playToast();
  };
  return <Bounce {...toast} playToast={play} />;
}
