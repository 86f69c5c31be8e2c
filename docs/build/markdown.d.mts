/** Returns a page in Starlight's Markdown. */
export function toContent(page: string, text: string, file: string): string;

/** Returns the extension of the file that a page is written to. */
export function toExtension(text: string): string;
