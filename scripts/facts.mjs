// Writes the size and the hash of the built SDK into the files that quote them.
//   node scripts/facts.mjs            writes them
//   node scripts/facts.mjs --check    checks whether they are still true
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { hash } from './integrity.mjs';

const root = new URL('../', import.meta.url);
const dist = new URL('dist/', root);
const QUOTING = ['README.md', 'docs/guides/script-tag.md', 'playground/shop/code/published-sdk.ts'];

/**
 * The size limits of the script tag's file, in bytes: today's sizes plus a little. Raise them in a separate
 * commit. About 900 bytes (brotli) are messages in full sentences.
 */
export const LIMITS = { minified: 13_300, brotli: 5400 };

export function readFacts() {
  const file = readFileSync(new URL('sdk.min.js', dist));
  return { minified: file.length, brotli: brotliCompressSync(file).length, integrity: hash(file) };
}

/** Returns the text with the size and the hash of the current build. */
export function withFacts(text, facts) {
  const number = (value) => value.toLocaleString('en-US');
  return text
    .replace(/(integrity="|SDK_INTEGRITY =\s+')sha384-[^"']*/g, `$1${facts.integrity}`)
    .replace(
      /<!-- size -->.*?<!-- \/size -->/gs,
      `<!-- size -->${number(facts.minified)} bytes minified, ${number(facts.brotli)} compressed<!-- /size -->`,
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(new URL('sdk.min.js', dist))) {
    console.error('There is no dist/sdk.min.js: run npm run build first');
    process.exit(1);
  }
  const isCheck = process.argv.includes('--check');
  const facts = readFacts();
  for (const name of QUOTING) {
    const file = new URL(name, root);
    const before = readFileSync(file, 'utf8');
    const after = withFacts(before, facts);
    if (before === after) continue;
    if (isCheck) {
      console.error(
        `${name} does not quote the size and hash of dist/sdk.min.js: run node scripts/facts.mjs`,
      );
      process.exitCode = 1;
    } else writeFileSync(file, after);
  }
}
