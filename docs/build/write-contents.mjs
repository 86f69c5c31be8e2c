import { writeCodePages } from './code-pages.mjs';
import { writePages } from './pages.mjs';
import { writePublicFiles } from './public-files.mjs';
import { writeCliPage, writeOpenApi } from './reference.mjs';
import { writeWebhookPage } from './webhook-reference.mjs';

/** Writes all files from which Astro builds the site. */
export async function writeContents() {
  writePages();
  writeCodePages();
  writeCliPage();
  writePublicFiles();
  await writeOpenApi();
  await writeWebhookPage();
}
