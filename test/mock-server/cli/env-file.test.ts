import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { updateEnv, writeEnvFile, type EnvValues } from '../../../mock-server/cli/env-file.ts';
import { aFolder } from '../../support/folder.ts';

const ENV: EnvValues = {
  OFAGE_PUBLISHABLE_KEY: 'pk_1',
  OFAGE_SECRET_KEY: 'sk_1',
  OFAGE_WEBHOOK_SECRET: 'whsec_1',
  OFAGE_API_BASE: 'http://127.0.0.1:4010/api/v1',
};
const BLOCK = `# ofage-mock
OFAGE_PUBLISHABLE_KEY=pk_1
OFAGE_SECRET_KEY=sk_1
OFAGE_WEBHOOK_SECRET=whsec_1
OFAGE_API_BASE=http://127.0.0.1:4010/api/v1
`;
const OLD = BLOCK.replaceAll('_1\n', '_old\n').replace('4010', '9999');

/** Returns the value of a variable after a shell has read the file. */
function readInShell(bytes: Buffer, name: string): string {
  const script = `eval "$(cat)"; printf %s "$${name}"`;
  return execFileSync('sh', ['-c', script], { input: bytes, encoding: 'utf8' });
}

describe('updateEnv()', () => {
  it.each([
    ['an empty file', '', BLOCK],
    ['a file with other lines', 'A=1\n', `A=1\n\n${BLOCK}`],
    ['a file without a final newline', 'A=1', `A=1\n\n${BLOCK}`],
    ['a file with CRLF', 'A=1\r\n', `A=1\r\n\r\n${BLOCK.replaceAll('\n', '\r\n')}`],
    ['a commented-out variable', '# OFAGE_SECRET_KEY=x\n', `# OFAGE_SECRET_KEY=x\n\n${BLOCK}`],
    ['a similar name', 'MY_OFAGE_SECRET_KEY=x\n', `MY_OFAGE_SECRET_KEY=x\n\n${BLOCK}`],
    ['an earlier block', OLD, BLOCK],
    ['a value with a dollar sign', OLD.replace('sk_old', '$&'), BLOCK],
    ['a block between other lines', `A=1\n${OLD}\n\nB='2'\n`, `A=1\n${BLOCK}\n\nB='2'\n`],
    ['a block with CRLF', OLD.replaceAll('\n', '\r\n'), BLOCK.replaceAll('\n', '\r\n')],
    ['a block without a final newline', OLD.trimEnd(), BLOCK.trimEnd()],
    ['only the comment, without a newline', '# ofage-mock', BLOCK],
    [
      'export, quotes, spaces and a comment',
      OLD.replace('OFAGE_SECRET_KEY=sk_old', 'export OFAGE_SECRET_KEY = "a # b" # mine'),
      BLOCK.replace('OFAGE_SECRET_KEY=sk_1', 'export OFAGE_SECRET_KEY = "sk_1" # mine'),
    ],
    [
      'a value of several words, and one that a comment follows',
      OLD.replace('sk_old', 'old value').replace('whsec_old', 'of old # mine'),
      BLOCK.replace('whsec_1', 'whsec_1 # mine'),
    ],
    [
      'a comment in place of a value',
      OLD.replace('sk_old', ' # mine'),
      BLOCK.replace('sk_1', ' sk_1 # mine'),
    ],
    ['a block that lacks a variable', OLD.replace(/OFAGE_API_BASE=.*\n/, ''), BLOCK],
    ['bytes that are not UTF-8', `A=\xff\xfe\n${OLD}`, `A=\xff\xfe\n${BLOCK}`],
  ])('updates %s', (_name, before, after) => {
    expect(updateEnv(before, ENV)).toBe(after);
    expect(updateEnv(after, ENV)).toBe(after);
  });

  it('empties the webhook secret if there is none, and does not add it', () => {
    const env = { ...ENV, OFAGE_WEBHOOK_SECRET: null };
    expect(updateEnv(OLD, env)).toContain('\nOFAGE_WEBHOOK_SECRET=\n');
    expect(updateEnv('', env)).not.toContain('OFAGE_WEBHOOK_SECRET');
  });

  it.each([
    ['a line break', 'sk_live\nNODE_OPTIONS=--import=data:text/javascript,0'],
    ['a carriage return', 'sk_1\rNODE_OPTIONS=x'],
    ['an escape sequence', 'sk_\u001b[2J'],
    ['a zero byte', 'sk_\0'],
    ['a line separator', 'sk_\u2028NODE_OPTIONS=x'],
    ['half of a surrogate pair', 'sk_\ud800'],
    ['both kinds of quotes', `it's "quoted"`],
    ['a single quote and what a shell expands', `it's $HOME`],
    ['a backslash', 'a\\'],
  ])('refuses a value with %s, and does not show it', (_name, value) => {
    for (const name of Object.keys(ENV)) {
      for (const before of ['', OLD, OLD.replaceAll(/=(.*)/g, '="$1"')]) {
        const update = () => updateEnv(before, { ...ENV, [name]: value });
        expect(update).toThrow(`the value of ${name} `);
        expect(update).not.toThrow(value);
      }
    }
  });

  it.each([
    ['spaces', 'chosen by hand'],
    ['spaces at both ends', ' x '],
    ['a comment sign', 'a#b # c'],
    ['what a shell expands', '$HOME $(id) `id` ~ a;b & !c'],
    ['double quotes', '"quoted" by "hand"'],
    ['a single quote', `it's`],
    ['letters of another alphabet', 'clé 鍵 🔑'],
  ])('quotes a value with %s, so that every reader reads it unchanged', (_name, value) => {
    const env = { ...ENV, OFAGE_WEBHOOK_SECRET: value };
    for (const before of ['', OLD, OLD.replace('whsec_old', '"old"'), 'A=1\n']) {
      const bytes = Buffer.from(updateEnv(before, env), 'latin1');
      expect(parseEnv(bytes.toString())).toMatchObject(env);
      expect(readInShell(bytes, 'OFAGE_WEBHOOK_SECRET')).toBe(value);
    }
  });

  it('does not quote what is ordinary, because Docker would take the quotes for a part of the value', () => {
    const env = {
      ...ENV,
      OFAGE_SECRET_KEY: 'sk_live-A.b+/=:@_',
      OFAGE_API_BASE: 'http://[::1]:80/api/v1',
    };
    expect(updateEnv('', env)).not.toMatch(/['"]/);
  });

  it('refuses a value that goes on in the next line, because its end would stay behind', () => {
    expect(() => updateEnv(OLD.replace('sk_old', '"sk_\nold"'), ENV)).toThrow(
      'line 3 sets OFAGE_SECRET_KEY to a value without a closing quote in the same line',
    );
  });

  it.each([
    ['before the block', `OFAGE_SECRET_KEY=mine\n${OLD}`, 1],
    ['after the block', `${OLD}\nexport OFAGE_SECRET_KEY=mine\n`, 7],
    ['in a file without the block', `A=1\n OFAGE_SECRET_KEY = mine\n`, 2],
  ])('refuses a variable %s', (_name, text, line) => {
    expect(() => updateEnv(text, ENV)).toThrow(
      `line ${line} sets OFAGE_SECRET_KEY, but only the lines directly below "# ofage-mock" are changed`,
    );
  });
});

describe('writeEnvFile()', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = aFolder();
    file = join(folder, '.env');
  });

  it('creates the file with mode 0600, and gives an existing one this mode', () => {
    writeEnvFile(file, ENV);
    expect(readFileSync(file, 'utf8')).toBe(BLOCK);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(join(folder, 'open.env'), 'A=1\n', { mode: 0o644 });
    writeEnvFile(join(folder, 'open.env'), ENV);
    expect(statSync(join(folder, 'open.env')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['.env', 'open.env']);
  });

  it('keeps a symbolic link, and bytes that are not UTF-8', () => {
    const target = join(folder, 'shared.env');
    writeFileSync(target, Buffer.from([0x41, 0x3d, 0xff, 0x0a]));
    symlinkSync(target, file);
    writeEnvFile(file, ENV);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target).subarray(0, 4)).toEqual(Buffer.from([0x41, 0x3d, 0xff, 0x0a]));
    expect(readFileSync(target, 'latin1')).toContain(BLOCK);
  });

  it('leaves a file alone that has the name of a draft', () => {
    const theirs = `${file}.${process.pid}.tmp`;
    writeFileSync(theirs, 'not ours');
    writeEnvFile(file, ENV);
    expect(readFileSync(theirs, 'utf8')).toBe('not ours');
    expect(readdirSync(folder)).toEqual(['.env', `.env.${process.pid}.tmp`]);
  });

  it('leaves no draft behind if the file cannot be replaced', () => {
    writeFileSync(file, 'A=1\n');
    expect(() => writeEnvFile(file, { ...ENV, OFAGE_SECRET_KEY: 'sk_\n' })).toThrow('Cannot write');
    expect(readFileSync(file, 'utf8')).toBe('A=1\n');
    expect(readdirSync(folder)).toEqual(['.env']);
  });

  it('changes nothing if a variable is set elsewhere', () => {
    writeFileSync(file, 'OFAGE_API_BASE=https://api.example\n');
    expect(() => writeEnvFile(file, ENV)).toThrow(
      `Cannot write "${file}": line 1 sets OFAGE_API_BASE`,
    );
    expect(readFileSync(file, 'utf8')).toBe('OFAGE_API_BASE=https://api.example\n');
  });

  it('refuses a folder and a file in a folder that does not exist', () => {
    mkdirSync(file);
    expect(() => writeEnvFile(file, ENV)).toThrow(`Cannot write "${file}": it is not a file`);
    expect(() => writeEnvFile(join(folder, 'no', '.env'), ENV)).toThrow('Cannot write');
  });
});
