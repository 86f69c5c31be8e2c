import { downloadFile } from './download-file.ts';

/** Makes the browser save JSON `text` as a file. */
export function downloadJson(name: string, text: string): void {
  downloadFile(name, text, 'application/json');
}
