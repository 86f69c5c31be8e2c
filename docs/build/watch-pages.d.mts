/** Calls `write` for each page in the folder that is saved, and prints its error. */
export function watchPages(
  folder: string,
  pages: readonly string[],
  write: (page: string) => void,
  signal?: AbortSignal,
): void;
