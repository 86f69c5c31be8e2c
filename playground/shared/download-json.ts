/** Makes the browser save `text` as a file. */
export function downloadJson(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser has read the URL by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}
