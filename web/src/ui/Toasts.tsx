import { useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { ToastContainer } from 'react-toastify/unstyled';
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
      draggable
      theme="light"
    />,
    toastPlace,
  );
}
