import { notify } from './notify';

/** Puts `text` into the clipboard and says so. */
export async function copy(text: string, notice: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify.success(notice);
  } catch {
    // Browsers give no clipboard to pages without https, nor to those that were refused it.
    notify.error('This browser does not let the page copy. Please select the text and copy it.');
  }
}
