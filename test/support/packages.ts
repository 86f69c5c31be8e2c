import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The packages of this repository, each with its folder. */
export const PACKAGES = {
  ofage: ROOT,
  'ofage-mock': join(ROOT, 'mock-server/'),
} as const;

export type PackageName = keyof typeof PACKAGES;

/** The fields of a package.json that the tests check. */
export interface Manifest {
  readonly homepage: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

export const readManifest = (name: PackageName): Manifest =>
  JSON.parse(readFileSync(join(PACKAGES[name], 'package.json'), 'utf8')) as Manifest;

/** Packs the last build of a package, as `npm pack` does in its folder. Returns the path of the tarball. */
export function packPackage(name: PackageName, folder: string): string {
  const built = join(PACKAGES[name], 'dist/index.js');
  if (!existsSync(built)) throw new Error(`There is no ${built}: run npm run build first`);
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(folder)];
  const file = execFileSync('npm', args, {
    cwd: PACKAGES[name],
    encoding: 'utf8',
    env: npmEnv(),
  });
  return join(resolve(folder), file.trim());
}

/**
 * Returns the environment without the variables that `npm test` sets for this project, because they would
 * also configure an npm that runs in another folder.
 */
export const npmEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_')));
