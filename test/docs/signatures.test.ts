import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { signBody } from '../../mock-server/send/signature.ts';
import { readCases } from '../support/case-files.ts';
import { hasOpenssl } from '../support/tls.ts';

const GUIDE = readFileSync(resolve(import.meta.dirname, '../../docs/guides/signatures.md'), 'utf8');
const readBlock = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(GUIDE)?.[1] ?? '';

/** A request of the guide's function, and what it must return. */
interface Case {
  readonly why: string;
  readonly body: string;
  readonly signature: string;
  readonly secrets: readonly string[];
  readonly expected: 'true' | 'false' | 'error';
}

/** A row of test/cases/signature-vectors.jsonl whose signature is a header. */
interface Vector {
  id: string;
  payload: string;
  header: string;
  secret: string;
  valid: boolean;
}

/**
 * A language of the guide, with a driver in test/docs/signatures. For each line of standard input, which has
 * the body, the signature and the secrets in base64, the driver calls the function of the guide and prints
 * "true" or "false", or "error" if the function throws.
 */
interface Recipe {
  language: string;
  /** The file that gets the code block of the guide. */
  file: string;
  driver: string;
  /** A command that prints the version. It fails where the language is not installed. */
  version: string;
  build?: string;
  run: string;
}

const RECIPES: Recipe[] = [
  {
    language: 'php',
    file: 'ofage_webhook.php',
    driver: 'check.php',
    version: 'php --version',
    run: 'php check.php',
  },
  {
    language: 'python',
    file: 'ofage_webhook.py',
    driver: 'check.py',
    version: 'python3 --version',
    run: 'python3 check.py',
  },
  {
    language: 'ruby',
    file: 'ofage_webhook.rb',
    driver: 'check.rb',
    version: 'ruby --version',
    run: 'ruby check.rb',
  },
  {
    language: 'go',
    file: 'ofagewebhook/ofagewebhook.go',
    driver: 'main.go',
    version: 'go version',
    build: 'go build -o check .',
    run: './check',
  },
  {
    language: 'java',
    file: 'OfAgeWebhook.java',
    driver: 'Check.java',
    version: 'javac --version',
    build: 'javac -encoding UTF-8 OfAgeWebhook.java Check.java',
    run: 'java -cp . Check',
  },
];

const folder = mkdtempSync(join(tmpdir(), 'ofage-signatures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: string, input = ''): string => {
  const [program = '', ...args] = command.split(' ');
  return execFileSync(program, args, { cwd: folder, input, encoding: 'utf8' });
};

function isInstalled({ language, version }: Recipe): boolean {
  try {
    run(version);
    return true;
  } catch {
    console.warn(
      `Skipped the signatures in ${language}: "${version}" does not run on this computer`,
    );
    return false;
  }
}

const SECRET = 'whsec_current';
const BODY = '{"event":"verification.completed","data":{"name":"Jürgen ☕"}}';
const SIGNED = await signBody(new TextEncoder().encode(BODY), SECRET);

/** Creates a case that differs from a rightly signed request with one secret. */
const aCase = (
  why: string,
  expected: Case['expected'],
  change: Partial<Pick<Case, 'body' | 'signature' | 'secrets'>> = {},
): Case => ({ why, expected, body: BODY, signature: SIGNED, secrets: [SECRET], ...change });

const CASES: readonly Case[] = [
  aCase('one secret', 'true'),
  aCase('the first of two secrets', 'true', { secrets: [SECRET, 'old'] }),
  aCase('the second of two secrets', 'true', { secrets: ['new', SECRET] }),
  aCase('neither of two secrets', 'false', { secrets: ['new', 'old'] }),
  aCase('no header', 'false', { signature: '' }),
  aCase('a signature in upper case', 'false', { signature: SIGNED.toUpperCase() }),
  aCase('a line feed after the signature', 'false', { signature: `${SIGNED}\n` }),
  aCase('two signatures', 'false', { signature: `${SIGNED},${SIGNED}` }),
  aCase('a signature with characters beyond ASCII', 'false', { signature: 'sha256=é☕' }),
  aCase('a space after the body', 'false', { body: `${BODY} ` }),
  aCase('an empty secret', 'error', { secrets: [''] }),
  ...readCases<Vector>('signature-vectors')
    .filter(({ header }) => header !== undefined)
    .map(({ id, payload, header, secret, valid }) =>
      aCase(id, valid ? 'true' : 'false', { body: payload, signature: header, secrets: [secret] }),
    ),
];

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');
const INPUT = CASES.map(({ body, signature, secrets }) =>
  [toBase64(body), toBase64(signature), secrets.map(toBase64).join(',')].join(' '),
).join('\n');

describe.each(RECIPES)('the guide to signatures in $language', (recipe) => {
  it.runIf(isInstalled(recipe))(
    'accepts valid signatures, refuses others, and throws for an empty secret',
    () => {
      const { language, file, driver, build } = recipe;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${readBlock(language)}\n`);
      copyFileSync(join(import.meta.dirname, 'signatures', driver), join(folder, driver));
      if (language === 'go')
        writeFileSync(join(folder, 'go.mod'), 'module example.com/check\n\ngo 1.19\n');
      if (build) run(build);
      const results = run(recipe.run, `${INPUT}\n`).trim().split('\n');
      expect(CASES.map(({ why }, index) => [why, results[index]])).toEqual(
        CASES.map(({ why, expected }) => [why, expected]),
      );
    },
    120_000,
  ); // Go compiles its standard library the first time.
});

describe('the guide to signatures with openssl', () => {
  it.runIf(hasOpenssl())('prints the header that the service sends', () => {
    writeFileSync(join(folder, 'body.json'), BODY);
    writeFileSync(join(folder, 'sign.sh'), readBlock('sh'));
    const environment = { ...process.env, OFAGE_WEBHOOK_SECRET: SECRET };
    const printed = execFileSync('sh', ['sign.sh'], { cwd: folder, env: environment });
    expect(printed.toString()).toBe(`${SIGNED}\n`);
  });
});
