import { lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { MockServer } from '../hosts/node-server.ts';
import { reasonOf } from '../store/errors.ts';

const NAMES = [
  'OFAGE_PUBLISHABLE_KEY',
  'OFAGE_SECRET_KEY',
  'OFAGE_WEBHOOK_SECRET',
  'OFAGE_API_BASE',
] as const;

type Name = (typeof NAMES)[number];

/** The settings that a merchant's server reads from its environment. Null for a secret that does not exist. */
export type Env = Readonly<Record<Name, string | null>>;

export function toEnv({ publishableKey, secretKey, webhookSecret, apiBase }: MockServer): Env {
  return {
    OFAGE_PUBLISHABLE_KEY: publishableKey,
    OFAGE_SECRET_KEY: secretKey,
    OFAGE_WEBHOOK_SECRET: webhookSecret,
    OFAGE_API_BASE: apiBase,
  };
}

/**
 * Checks before the start that the file can be updated.
 * @throws {Error} with a readable message
 */
export function assertEnvFile(file: string): void {
  access(file, (path) => parse(read(path)));
}

/**
 * Writes the settings into a file that only its owner can read. Keeps everything else in the file. The file
 * is replaced at once, so that a program never reads half of it. A symbolic link stays one.
 * @throws {Error} with a readable message
 */
export function writeEnvFile(file: string, env: Env): void {
  access(file, (path) => {
    const text = updateEnv(read(path), env);
    const draft = `${path}.${process.pid}.tmp`;
    try {
      writeFileSync(draft, text, { encoding: 'latin1', mode: 0o600, flag: 'wx' });
      renameSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/**
 * Updates the values below the comment `# ofage-mock`, or adds the comment and the variables at the end.
 * Everything else keeps its bytes, also `export` and quotes of a variable.
 * @throws {Error} if one of the variables is set elsewhere, because the last assignment would win
 */
export function updateEnv(text: string, env: Env): string {
  const { before, block, after } = parse(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const missing = NAMES.filter(
    (name) => env[name] !== null && !block.some((line) => nameIn(line) === name),
  ).map((name) => `${name}=${env[name]}${eol}`);
  const updated = block.map((line) => {
    const name = nameIn(line);
    return name === undefined ? line : replaceValue(line, env[name] ?? '');
  });
  if (block.length === 0) {
    const gap = before.length === 0 ? '' : eol;
    return [...endLast(before, eol), gap, `${COMMENT}${eol}`, ...missing].join('');
  }
  const ours = missing.length === 0 ? updated : [...endLast(updated, eol), ...missing];
  return [...before, ...ours, ...after].join('');
}

/** Adds the line break that the last line of a file may lack. */
function endLast(lines: readonly string[], eol: string): string[] {
  return lines.map((line) => (line.endsWith('\n') ? line : `${line}${eol}`));
}

const COMMENT = '# ofage-mock';

/** The lines of a file, each with its line break. The block is the comment and our variables below it. */
interface EnvText {
  readonly before: readonly string[];
  readonly block: readonly string[];
  readonly after: readonly string[];
}

function parse(text: string): EnvText {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const isOurs = (line: string): boolean => nameIn(line) !== undefined;
  const found = lines.findIndex((line) => line.trim() === COMMENT);
  const begin = found === -1 ? lines.length : found;
  const length = lines.slice(begin + 1).findIndex((line) => !isOurs(line));
  const end = length === -1 ? lines.length : begin + 1 + length;
  const at = lines.findIndex((line, n) => isOurs(line) && (n < begin || n >= end));
  if (at !== -1) {
    throw new Error(
      `line ${at + 1} sets ${nameIn(lines[at] ?? '')}, but only the lines directly below "${COMMENT}" are changed; remove that line`,
    );
  }
  return {
    before: lines.slice(0, begin),
    block: lines.slice(begin, end),
    after: lines.slice(end),
  };
}

function nameIn(line: string): Name | undefined {
  const name = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1];
  return NAMES.find((one) => one === name);
}

/** Replaces the value of an assignment. Keeps its quotes and what follows it. */
function replaceValue(line: string, value: string): string {
  return line.replace(
    /=([ \t]*)(?:(["'`])[^\n]*?\2|[^\s#]*)/,
    (_match, space: string, quote = '') => `=${space}${quote}${value}${quote}`,
  );
}

/** Reads bytes as characters, so that a file in any encoding keeps its bytes. */
function read(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return '';
  if (!stats.isFile()) throw new Error('it is not a file');
  return readFileSync(path, 'latin1');
}

function access(file: string, run: (path: string) => void): void {
  try {
    const exists = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    run(exists ? realpathSync(file) : file);
  } catch (cause) {
    throw new Error(`Cannot write "${file}": ${reasonOf(cause)}`, { cause });
  }
}
