const openDialogs: HTMLElement[] = [];

/**
 * The element that holds the toasts. It moves into the topmost modal dialog: everything outside of one is
 * covered, cannot be clicked and is hidden from screen readers.
 */
export const toastPlace = document.createElement('div');

/** Puts the toasts where they can be reached now. */
export function placeToasts(): void {
  (openDialogs.at(-1) ?? document.body).append(toastPlace);
}

/** Shows the toasts inside `dialog` until the returned function is called. */
export function showToastsIn(dialog: HTMLElement): () => void {
  openDialogs.push(dialog);
  placeToasts();
  return () => {
    openDialogs.splice(openDialogs.indexOf(dialog), 1);
    placeToasts();
  };
}
