/** Returns a page in Starlight's Markdown. */
export function toContent(page: string, text: string, file: string): string;
