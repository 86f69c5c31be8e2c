// Builds the site, or serves it and copies each page again when its file changes.
//   node build/main.mjs build
//   node build/main.mjs dev
import { existsSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, dev } from 'astro';
import { listPages } from './page-list.mjs';
import { writePage } from './pages.mjs';
import { BASE, DOCS, OUTPUT } from './paths.mjs';
import { relocate } from './relocate.mjs';

const [command] = process.argv.slice(2);

if (command === 'dev') {
  const { address } = await dev({ root: DOCS });
  console.log(`The documentation: http://localhost:${address.port}${BASE}/`);
  watchPages();
} else {
  await build({ root: DOCS, logLevel: 'warn' });
  relocate(OUTPUT);
  console.log(`The site is in ${OUTPUT}`);
}

/** Watches the folders that contain pages, and so not docs/node_modules. */
function watchPages() {
  for (const folder of new Set(listPages().map((page) => dirname(page)))) {
    watch(join(DOCS, folder), (_, name) => {
      const page = join(folder, name ?? '');
      if (!listPages().includes(page) || !existsSync(join(DOCS, page))) return;
      try {
        writePage(page);
      } catch ({ message }) {
        console.error(message);
      }
    });
  }
}
