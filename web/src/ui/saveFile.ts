/** Lets the browser save a file that is already here. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has its own hold on the file once the click is over.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
