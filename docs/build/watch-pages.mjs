import { existsSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Calls `write` for each page that is saved, and prints its error: a mistake in a page must not end the server.
 * It watches the folders that contain pages, and so not docs/node_modules.
 *
 * @param pages the paths of the pages in the folder
 * @param signal ends it
 */
export function watchPages(folder, pages, write, signal) {
  for (const part of new Set(pages.map((page) => dirname(page)))) {
    watch(join(folder, part), { signal }, (_, name) => {
      const page = join(part, name ?? '');
      if (!pages.includes(page) || !existsSync(join(folder, page))) return;
      try {
        write(page);
      } catch ({ message }) {
        console.error(message);
      }
    });
  }
}
