// Builds the documentation's site (dist-docs/), or serves it while its pages are written. It has packages of
// its own, so that npm start does not have to install them.
//   node scripts/site.mjs build    npm run docs
//   node scripts/site.mjs dev      npm run docs:dev
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './build.mjs';
import { install, installTools, newNode, root, toolEnv } from './install.mjs';
import { run } from './run.mjs';

const folder = join(root, 'docs');

/** Tells whether there is a finished site, of any age. A single step of `npm test` does not need a new one. */
export const isSiteBuilt = () => existsSync(join(root, 'dist-docs/index.html'));

/** Installs the packages of the site and runs Astro. Returns the exit code. Needs a build. */
export async function runSite(command, extra = []) {
  const installed = await installTools(folder);
  if (installed !== 0) return installed;
  return run(newNode(), ['build/main.mjs', command, ...extra], {
    cwd: folder,
    env: { ...toolEnv(), ASTRO_TELEMETRY_DISABLED: '1' },
  });
}

async function main([command = 'build', ...extra]) {
  const code = (await install()) || (isBuilt() ? 0 : await build());
  return code === 0 ? runSite(command, extra) : code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
