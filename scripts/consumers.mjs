// Installs the tools of test/consumers, runs the package in all of them and prints a table.
//   node scripts/consumers.mjs [part of a name...]
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuilt } from './build.mjs';
import { install, installTools, newNode, root, toolEnv } from './install.mjs';
import { run } from './run.mjs';

/**
 * Installs the tools. Returns `undefined` if they are installed. If the registry cannot be reached, returns a
 * sentence that says so, with which the tests are skipped.
 *
 * @throws if the installation failed although the registry can be reached
 */
export async function installConsumers() {
  const code = await installTools(join(root, 'test/consumers'));
  if (code === 0) return undefined;
  if (isRegistryReachable())
    throw new Error(`npm install in test/consumers ended with code ${code}`);
  return 'the packages of test/consumers are not installed, and the registry cannot be reached';
}

function isRegistryReachable() {
  try {
    execFileSync('npm', ['ping', '--fetch-timeout=5000', '--fetch-retries=0'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function main(names) {
  const code = (await install()) || (isBuilt() ? 0 : await build());
  if (code !== 0) return code;
  const reason = await installConsumers();
  if (reason !== undefined) console.error(`Skipped everything: ${reason}`);
  if (reason !== undefined) return 1;
  return run(newNode(), ['test/consumers/main.ts', ...names], { cwd: root, env: toolEnv() });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
