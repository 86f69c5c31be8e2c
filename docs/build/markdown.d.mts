/** Returns a page as Starlight reads it. */
export function toContent(page: string, text: string, file: string): string;
