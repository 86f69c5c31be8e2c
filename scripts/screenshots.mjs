// npm run screenshots: installs and builds if needed, then takes screenshots of the pages in many states.
// They go to reports/screenshots, and those that the documentation shows also go to docs/images.
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
