import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The fields of package.json that the tests check. */
export interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

export const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

/** Reads a file that `npm run build` created. */
export function readBuilt(name: string): string {
  const path = join(ROOT, 'dist', name);
  if (!existsSync(path)) throw new Error(`There is no dist/${name}: run npm run build first`);
  return readFileSync(path, 'utf8');
}

export interface Installed {
  /** The tarball that npm would publish. */
  readonly tarball: string;
  /** A customer's folder, whose node_modules contains only the package. */
  readonly folder: string;
  remove(): void;
}

/** Packs the build and installs it in another folder like a customer, without network. */
export function installTarball(): Installed {
  readBuilt('ofage-mock.js');
  const folder = mkdtempSync(join(tmpdir(), 'ofage-package-'));
  const npm = (cwd: string, ...args: string[]): string =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', env: npmEnv() });
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const tarball = join(folder, npm(ROOT, ...pack).trim());
  const customer = join(folder, 'customer');
  mkdirSync(customer);
  npm(customer, 'init', '--silent', '--yes');
  npm(customer, 'install', '--silent', '--offline', '--no-audit', '--no-fund', tarball);
  return {
    tarball,
    folder: customer,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes the variables that `npm test` sets for this project, because the other npm must not see them. */
function npmEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return Object.fromEntries(kept);
}
