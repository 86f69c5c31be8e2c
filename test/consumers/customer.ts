import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HERE = fileURLToPath(new URL('./', import.meta.url));
const FIXTURES = join(HERE, 'fixtures');

/** The packing script, which has no types. */
const { packPackage, npmEnv } = (await import(join(ROOT, 'scripts/pack.mjs'))) as {
  packPackage(folder: string): string;
  npmEnv(): NodeJS.ProcessEnv;
};

export interface CustomerOptions {
  /**
   * The packages to install besides `ofage`: the name in the customer's project, and the name of a package
   * of this folder or of the repository.
   */
  readonly packages?: Readonly<Record<string, string>>;
  /** Files to copy from `fixtures/`. */
  readonly fixtures?: readonly string[];
  /** Files to write: path and content. */
  readonly files?: Readonly<Record<string, string>>;
  /** The project's module system. @default 'module' */
  readonly type?: 'module' | 'commonjs';
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The Node that runs the program. */
  readonly node?: string;
  readonly timeoutMs?: number;
}

/** A customer's project, in a folder outside of this repository. */
export interface Customer {
  readonly folder: string;
  /** Runs a program with Node, and returns its output. Throws with the output after an exit code. */
  node(args: readonly string[], options?: RunOptions): Promise<string>;
  remove(): void;
}

let tarball: string | undefined;

/** Packs the build once for all customers. Returns the path of the tarball. */
export function packOnce(): string {
  if (tarball === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'ofage-tarball-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    tarball = packPackage(folder);
  }
  return tarball;
}

/** Creates a project with the unpacked tarball and links to the other packages. */
export function createCustomer(options: CustomerOptions): Customer {
  const { packages = {}, fixtures = [], files = {}, type = 'module' } = options;
  const folder = mkdtempSync(join(tmpdir(), 'ofage-customer-'));
  const installed = join(folder, 'node_modules/ofage');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', packOnce(), '-C', installed, '--strip-components=1']);
  for (const [name, source] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(findPackage(source), link);
  }
  for (const name of fixtures)
    cpSync(join(FIXTURES, name), join(folder, name), { recursive: true });
  const manifest = { 'package.json': JSON.stringify({ name: 'customer', private: true, type }) };
  for (const [path, content] of Object.entries({ ...manifest, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return {
    folder,
    node: (args, options) => runNode(folder, args, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Returns the folder of an installed package. The tools of customers come before those of this project. */
export function findPackage(name: string): string {
  const found = [HERE, ROOT].map((from) => join(from, 'node_modules', name)).find(existsSync);
  if (found === undefined)
    throw new Error(`The package ${name} is not installed in test/consumers`);
  return found;
}

function runNode(
  cwd: string,
  args: readonly string[],
  { env = {}, node = process.execPath, timeoutMs = 120_000 }: RunOptions = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      node,
      args,
      { cwd, env: { ...customerEnv(), ...env }, timeout: timeoutMs, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        const output = stripVTControlCharacters(`${stdout}${stderr}`);
        if (error === null) resolve(output);
        else reject(new Error(`${args.join(' ')} ended with code ${error.code}\n${output}`));
      },
    );
  });
}

/** The environment without the variables that this project's own tools set. */
function customerEnv(): NodeJS.ProcessEnv {
  const own = /^(VITEST|JEST|NODE_OPTIONS|NODE_ENV|TEST|MODE|DEV|PROD|SSR|BASE_URL)/;
  const env = Object.entries(npmEnv()).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(env), NO_COLOR: '1' };
}
