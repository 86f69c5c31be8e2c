/** Makes the browser save `text` as a file. @param type The media type */
export function downloadFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has read the URL by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
