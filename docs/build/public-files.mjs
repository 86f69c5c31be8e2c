import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS, PUBLIC, ROOT } from './paths.mjs';

/** Copies the static playground, the icon and the pictures into the folder of unchanged files. */
export function writePublicFiles() {
  const playground = join(ROOT, 'dist-static');
  if (!existsSync(join(playground, 'index.html'))) {
    throw new Error('There is no dist-static/: run npm run build first');
  }
  rmSync(PUBLIC, { recursive: true, force: true });
  cpSync(playground, join(PUBLIC, 'playground'), { recursive: true });
  cpSync(join(ROOT, 'playground/shared/ofage.svg'), join(PUBLIC, 'ofage.svg'));
  // The README at npm loads its pictures from the folder images/ of the published site.
  cpSync(join(DOCS, 'images'), join(PUBLIC, 'images'), { recursive: true });
}
