import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { MockServer } from '../hosts/node-server.ts';
import { reasonOf } from '../store/errors.ts';
import { ONE_LINE } from '../store/safe-text.ts';

/** The variables of a merchant's server. */
export const NAMES = [
  'OFAGE_PUBLISHABLE_KEY',
  'OFAGE_SECRET_KEY',
  'OFAGE_WEBHOOK_SECRET',
  'OFAGE_API_BASE',
] as const;

export type Name = (typeof NAMES)[number];

/** The settings that a merchant's server reads from its environment. Null for a secret that does not exist. */
export type EnvValues = Readonly<Record<Name, string | null>>;

export function toEnv({
  publishableKey,
  secretKey,
  webhookSecret,
  apiBase,
}: MockServer): EnvValues {
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
  withRealPath(file, (path) => parse(read(path)));
}

/**
 * Writes the settings into a file that only its owner can read. Keeps everything else in the file. The file
 * is replaced at once, so that a program never reads half of it. A symbolic link stays one.
 * @throws {Error} with a readable message
 */
export function writeEnvFile(file: string, env: EnvValues): void {
  withRealPath(file, (path) => {
    const text = updateEnv(read(path), env);
    // A new name for each draft, so that a file of somebody else is neither written nor deleted.
    const draft = `${path}.${randomUUID()}.tmp`;
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
 * Everything else keeps its bytes, also `export`, the quotes of a variable and the comment after it.
 * @param text The bytes of the file as characters, see `read`
 * @throws {Error} if one of the variables is set elsewhere, because the last assignment would win, or if a
 *   value cannot be written
 */
export function updateEnv(text: string, env: EnvValues): string {
  const { before, block, after } = parse(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const isNew = block.length === 0;
  const gap = isNew && before.length > 0 ? eol : '';
  const updated = isNew ? [`${COMMENT}${eol}`] : block.map((line) => updateLine(line, env));
  const present = block.map(nameIn);
  const added = NAMES.filter((name) => env[name] !== null && !present.includes(name)).map(
    (name) => `${name}=${toBytes(toEnvValue(name, env[name] ?? ''))}${eol}`,
  );
  return joinParts([before.join(''), gap, updated.join(''), added.join(''), after.join('')], eol);
}

/** Joins the parts of a file. Adds the line break that the last line of the file may lack. */
function joinParts(parts: readonly string[], eol: string): string {
  return parts
    .filter((part) => part !== '')
    .reduce(
      (text, part) => (text === '' || text.endsWith('\n') ? text + part : text + eol + part),
      '',
    );
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
  for (const [index, line] of lines.entries()) {
    const name = nameIn(line);
    if (name === undefined) continue;
    if (index < begin || index >= end)
      throw new Error(
        `line ${index + 1} sets ${name}, but only the lines directly below "${COMMENT}" are changed; remove that line`,
      );
    if (!parseAssignment(line).isClosed)
      throw new Error(
        `line ${index + 1} sets ${name} to a value without a closing quote in the same line; remove the value`,
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

/** Replaces the value of an assignment. */
function updateLine(line: string, env: EnvValues): string {
  const name = nameIn(line);
  if (name === undefined) return line;
  const { start, quote, end } = parseAssignment(line);
  const value = toBytes(toEnvValue(name, env[name] ?? '', quote));
  // Without a space, the comment would belong to the value.
  return `${start}${value}${end.startsWith('#') ? ' ' : ''}${end}`;
}

/** The parts of an assignment around its value. */
interface Assignment {
  /** The name, the equals sign and the spaces after it. */
  readonly start: string;
  /** The quote on both sides of the value. Empty if there is none. */
  readonly quote: string;
  /** False if a quote is opened that the line does not close. */
  readonly isClosed: boolean;
  /** The comment, if there is one, and the line break. */
  readonly end: string;
}

function parseAssignment(line: string): Assignment {
  const start = /^[^=]*=[ \t]*/.exec(line)?.[0] ?? '';
  const value = line.slice(start.length);
  const quoted = /^(["'`]).*?\1/.exec(value)?.[0];
  // A value without quotes may have several words. A comment ends it.
  const plain = /^[^#\r\n]*?(?=[ \t]*(?:[#\r\n]|$))/.exec(value)?.[0] ?? '';
  return {
    start,
    quote: quoted?.charAt(0) ?? '',
    isClosed: quoted !== undefined || !/^["'`]/.test(value),
    end: value.slice((quoted ?? plain).length),
  };
}

/** A value that every reader of env files takes as it is, Docker too, which knows no quotes. */
const NEEDS_NO_QUOTES = /^[\w.:/+=@%,[\]-]*$/;

/**
 * Formats a value for an env file: as it is if possible, otherwise in quotes. Node, dotenv and shells read
 * both in the same way.
 * @param quote The quotes to keep around a value that needs none
 * @throws {Error} without the value, if it has several lines, or if readers would not agree on it
 */
export function toEnvValue(name: Name, value: string, quote = ''): string {
  if (NEEDS_NO_QUOTES.test(value)) return quote + value + quote;
  if (!ONE_LINE.test(value))
    throw new Error(
      `the value of ${name} has a line break or another control character, which would change the meaning of the file; use another value`,
    );
  if (/^[^'\\]*$/.test(value)) return `'${value}'`;
  // Between double quotes, shells expand $ and `, and all readers disagree about \.
  if (/^[^"\\$`]*$/.test(value)) return `"${value}"`;
  throw new Error(
    `the value of ${name} has a quote or a backslash that programs read in different ways; use a value without them`,
  );
}

/** Encodes a text as UTF-8, one character for each byte. */
function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Reads bytes as characters, so that a file in any encoding keeps its bytes. */
function read(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return '';
  if (!stats.isFile()) throw new Error('it is not a file');
  return readFileSync(path, 'latin1');
}

/** Follows a symbolic link, and adds the file's name to every error. */
function withRealPath(file: string, run: (path: string) => void): void {
  try {
    const exists = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    run(exists ? realpathSync(file) : file);
  } catch (cause) {
    throw new Error(`Cannot write "${file}": ${reasonOf(cause)}`, { cause });
  }
}
