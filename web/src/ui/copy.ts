import { notify } from './notify';

/** Puts `text` into the clipboard and says so. */
export async function copy(text: string, notice: string): Promise<void> {
  if (await putIntoClipboard(text)) notify.success(notice);
}

/** Puts `text` into the clipboard. False: the browser refused it, which the member has been told. */
export async function putIntoClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers give no clipboard to pages without https, nor to those that were refused it.
    notify.error('This browser does not let the page copy. Please select the text and copy it.');
    return false;
  }
}
