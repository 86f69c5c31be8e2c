import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackage, ROOT, type PackageName } from '../support/packages.ts';
import { runProgram, startProgram, type RunOptions, type RunningProgram } from './programs.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const FIXTURES = join(HERE, 'fixtures');

/**
 * Projects that are installed as a whole, for the cells that `npm test` does not run. They have no lock file,
 * so each installation tests the newest packages that their tools allow.
 */
export const NIGHTLY = join(HERE, 'nightly');

export interface CustomerOptions {
  /** The project to copy from `nightly/`, with its packages. @default an empty project */
  readonly project?: string;
  /**
   * The packages to install besides `ofage` and `ofage-mock`: the name in the customer's project, and the name of a package
   * of `test/package.json` or of the repository.
   */
  readonly packages?: Readonly<Record<string, string>>;
  /** Files to copy from `fixtures/`: a name, or the name in the customer's project and that of the fixture. */
  readonly fixtures?: readonly string[] | Readonly<Record<string, string>>;
  /** Files to write: path and content. */
  readonly files?: Readonly<Record<string, string>>;
  /** The project's module system. @default 'module' */
  readonly type?: 'module' | 'commonjs';
}

/** A customer's project, in a folder outside of this repository. */
export interface Customer {
  readonly folder: string;
  /**
   * Runs Node, or another program, and returns its output. Rejects with the output if the exit code is not 0.
   */
  node(args: readonly string[], options?: RunOptions): Promise<string>;
  /** Starts a server with Node, or another program, that runs until it is stopped. */
  start(args: readonly string[], options?: RunOptions): RunningProgram;
  /** Loads an entry of a packed package, such as `ofage-mock/node`. */
  load(entry: string): unknown;
  remove(): void;
}

let tarballs: Readonly<Record<PackageName, string>> | undefined;

/** Packs the build once for all customers. Returns the paths of the tarballs. */
function packOnce(): Readonly<Record<PackageName, string>> {
  if (tarballs === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'ofage-tarball-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    tarballs = {
      ofage: packPackage('ofage', folder),
      'ofage-mock': packPackage('ofage-mock', folder),
    };
  }
  return tarballs;
}

/** Creates a project with the unpacked tarballs and links to the other packages. */
export function createCustomer(options: CustomerOptions): Customer {
  const { project, packages = {}, fixtures = [], files = {}, type = 'module' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'ofage-customer-'));
  if (project !== undefined) copyProject(join(NIGHTLY, project), folder);
  for (const [name, tarball] of Object.entries(packOnce())) {
    const installed = join(folder, 'node_modules', name);
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  }
  for (const [name, source] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(findPackage(source), link);
  }
  const copies = Array.isArray(fixtures)
    ? fixtures.map((name) => [name, name])
    : Object.entries(fixtures);
  for (const [path, name] of copies)
    cpSync(join(FIXTURES, name), join(folder, path), { recursive: true });
  const manifest = { 'package.json': JSON.stringify({ name: 'customer', private: true, type }) };
  for (const [path, content] of Object.entries({
    ...(project === undefined && manifest),
    ...files,
  })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return {
    folder,
    node: (args, options) => runProgram(folder, args, options),
    start: (args, options) => startProgram(folder, args, options),
    load: createRequire(join(folder, 'package.json')),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Copies a project. Its packages become hard links, because they are many. */
function copyProject(source: string, folder: string): void {
  cpSync(source, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  execFileSync('cp', ['-al', join(source, 'node_modules'), join(folder, 'node_modules')]);
}

/** Returns the folder of an installed package. */
export function findPackage(name: string): string {
  const found = [join(ROOT, 'test'), ROOT]
    .map((from) => join(from, 'node_modules', name))
    .find(existsSync);
  if (found === undefined) throw new Error(`The package ${name} is not installed in test/`);
  return found;
}
