// npm run screenshots: installs and builds what is missing, then takes a picture of every page in every
// state into reports/screenshots, and the ones that the documentation shows into docs/images.
//   npm run screenshots -- --grep dashboard
import { build, isBuilt } from './build.mjs';
import { installBrowsers } from './browsers.mjs';
import { install, root, toolEnv } from './install.mjs';
import { run } from './run.mjs';

process.exitCode = await takeScreenshots(process.argv.slice(2));

async function takeScreenshots(args) {
  const prepared =
    (await install()) || (isBuilt() ? 0 : await build()) || (await installBrowsers());
  if (prepared !== 0) return prepared;
  const config = 'test/screenshots/playwright.config.ts';
  return run('playwright', ['test', '-c', config, ...args], { cwd: root, env: toolEnv() });
}
