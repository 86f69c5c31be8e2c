// Builds the site, or serves it and copies each page again when its file changes.
// The site has packages of its own, so that npm start does not have to install them.
//   node docs/build/main.mjs build    npm run docs, after it has renewed the picture of the README
//   node docs/build/main.mjs dev      npm run docs:dev
import { DOCS_PATH } from '../../mock-server/help/docs-site.ts';
import { PAGES } from '../contents.mjs';
import { installTools } from '../../scripts/install.mjs';
import { writePage } from './pages.mjs';
import { DOCS, OUTPUT } from './paths.mjs';
import { relocate } from './relocate.mjs';
import { watchPages } from './watch-pages.mjs';

const [command = 'build'] = process.argv.slice(2);
if (!['build', 'dev'].includes(command)) {
  console.error(`The command must be build or dev, got "${command}"`);
  process.exit(2);
}

const installed = await installTools(DOCS);
if (installed !== 0) process.exit(installed);
process.chdir(DOCS);
process.env.ASTRO_TELEMETRY_DISABLED = '1';
const { build, dev } = await import('astro');

if (command === 'dev') {
  const { address } = await dev({ root: DOCS });
  console.log(`The documentation: http://localhost:${address.port}${DOCS_PATH}/`);
  watchPages(DOCS, PAGES, writePage);
} else {
  await build({ root: DOCS, logLevel: 'warn' });
  relocate(OUTPUT);
  console.log(`The site is in ${OUTPUT}`);
}
