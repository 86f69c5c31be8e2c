// Writes the size and the hash of the built SDK into the files that quote them.
//   node scripts/facts.mjs            writes them
//   node scripts/facts.mjs --check    checks whether they are still true
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { hash } from './integrity.mjs';

const root = new URL('../', import.meta.url);
const sdk = new URL('dist/sdk.min.js', root);
const QUOTING = ['README.md', 'docs/guides/script-tag.md', 'playground/shop/code/published-sdk.ts'];

/**
 * The size limits of the script tag's file, in bytes. They leave room for some fixes, so that a mistake in the
 * build is noticed and a fix of a few bytes is not held up. About 900 bytes (brotli) are messages in full
 * sentences.
 */
export const LIMITS = { minified: 14_500, brotli: 5900 };

/** What to do about a file above its limit. */
export const OVER_LIMIT =
  'dist/sdk.min.js is too large. Find out what grew (npm run bench -- sdk), and look for something to leave out. If nothing can go, raise LIMITS in scripts/facts.mjs in a commit of its own that lists the bytes by cause, and run npm run facts';

/** Returns a function that puts the size and the hash of the current build into a text. */
function toUpdate() {
  const file = readFileSync(sdk);
  const [minified, brotli] = [file, brotliCompressSync(file)].map(({ length }) =>
    length.toLocaleString('en-US'),
  );
  const size = `<!-- size -->${minified} bytes minified, ${brotli} compressed<!-- /size -->`;
  return (text) =>
    text
      .replace(/(integrity="|SDK_INTEGRITY =\s+')sha384-[^"']*/g, `$1${hash(file)}`)
      .replace(/<!-- size -->.*?<!-- \/size -->/gs, size);
}

function main({ isCheck }) {
  if (!existsSync(sdk)) return fail('There is no dist/sdk.min.js: run npm run build first');
  const update = toUpdate();
  for (const name of QUOTING) {
    const file = new URL(name, root);
    const before = readFileSync(file, 'utf8');
    const after = update(before);
    if (before === after) continue;
    if (isCheck)
      fail(`${name} does not quote the size and hash of dist/sdk.min.js: run npm run facts`);
    else writeFileSync(file, after);
  }
}

function fail(reason) {
  console.error(reason);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main({ isCheck: process.argv.includes('--check') });
}
