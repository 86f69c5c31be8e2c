import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  npmEnv,
  packPackage,
  type PackageName,
  PACKAGES,
  readManifest,
} from '../support/packages.ts';

export { npmEnv, type PackageName, PACKAGES, ROOT } from '../support/packages.ts';

/** The manifest of each package. */
export const MANIFESTS = { ofage: readManifest('ofage'), 'ofage-mock': readManifest('ofage-mock') };

/** Reads a file that `npm run build` created in the `dist/` of a package. */
export const readBuilt = (name: PackageName, path: string): string =>
  readFileSync(builtPath(name, path), 'utf8');

/** Returns the size in bytes of a file that `npm run build` created. */
export const builtSize = (name: PackageName, path: string): number =>
  statSync(builtPath(name, path)).size;

export function builtPath(name: PackageName, path: string): string {
  const file = join(PACKAGES[name], 'dist', path);
  if (!existsSync(file)) throw new Error(`There is no ${file}: run npm run build first`);
  return file;
}

export interface Installed {
  /** The tarballs that npm would publish. */
  readonly tarballs: Readonly<Record<PackageName, string>>;
  /** A customer's folder, whose node_modules contains both packages and nothing else. */
  readonly folder: string;
  remove(): void;
}

/** Packs the build and installs it in another folder like a customer, without network. */
export function installTarballs(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'ofage-package-'));
  const tarballs = {
    ofage: packPackage('ofage', folder),
    'ofage-mock': packPackage('ofage-mock', folder),
  };
  const customer = join(folder, 'customer');
  mkdirSync(customer);
  const npm = (...args: string[]): string =>
    execFileSync('npm', [...args, '--silent'], { cwd: customer, encoding: 'utf8', env: npmEnv() });
  npm('init', '--yes');
  npm('install', '--offline', '--no-audit', '--no-fund', ...Object.values(tarballs));
  return {
    tarballs,
    folder: customer,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
