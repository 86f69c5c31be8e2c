import { writeCodePages } from './code-pages.mjs';
import { writePages } from './pages.mjs';
import { writePublicFiles } from './public-files.mjs';
import { writeCliPage, writeOpenApi } from './reference.mjs';

/** Writes everything from which Astro makes the site. */
export async function writeContents() {
  writePages();
  writeCodePages();
  writeCliPage();
  writePublicFiles();
  await writeOpenApi();
}
