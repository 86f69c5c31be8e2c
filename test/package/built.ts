import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The fields of package.json that the tests check. */
export interface Manifest {
  readonly homepage: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

export const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

/** Reads a file that `npm run build` created. */
export const readBuilt = (name: string): string => readFileSync(builtPath(name), 'utf8');

/** Returns the size in bytes of a file that `npm run build` created. */
export const builtSize = (name: string): number => statSync(builtPath(name)).size;

function builtPath(name: string): string {
  const path = join(ROOT, 'dist', name);
  if (!existsSync(path)) throw new Error(`There is no dist/${name}: run npm run build first`);
  return path;
}

export interface Installed {
  /** The tarball that npm would publish. */
  readonly tarball: string;
  /** A customer's folder, whose node_modules contains only the package, and ofage-mock if requested. */
  readonly folder: string;
  remove(): void;
}

/** The packing script, which has no types. */
export const { packPackage, packCommand, npmEnv } = (await import(
  join(ROOT, 'scripts/pack.mjs')
)) as {
  packPackage(folder: string): string;
  packCommand(folder: string): string;
  npmEnv(): NodeJS.ProcessEnv;
};

/** Packs the build and installs it in another folder like a customer, without network. */
export function installTarball({ withCommand = false } = {}): Installed {
  readBuilt('ofage-mock.js');
  const folder = mkdtempSync(join(tmpdir(), 'ofage-package-'));
  const tarball = packPackage(folder);
  const customer = join(folder, 'customer');
  mkdirSync(customer);
  const npm = (...args: string[]): string =>
    execFileSync('npm', [...args, '--silent'], { cwd: customer, encoding: 'utf8', env: npmEnv() });
  npm('init', '--yes');
  const tarballs = [tarball, ...(withCommand ? [packCommand(folder)] : [])];
  npm('install', '--offline', '--no-audit', '--no-fund', ...tarballs);
  return {
    tarball,
    folder: customer,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
