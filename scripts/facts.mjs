// Writes the size of the built SDK into the files that quote it.
//   node scripts/facts.mjs            writes it
//   node scripts/facts.mjs --check    checks whether it is still true
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const root = new URL('../', import.meta.url);
const sdk = new URL('dist/sdk.min.js', root);
const QUOTING = ['README.md', 'docs/guides/script-tag.md'];

/**
 * The size limits of the script tag's file, in bytes. They leave room for some fixes, so that a mistake in the
 * build is noticed and a fix of a few bytes is not held up. About 900 bytes (brotli) are messages in full
 * sentences.
 */
export const LIMITS = { minified: 14_500, brotli: 5900 };

/** What to do about a file above its limit. */
export const OVER_LIMIT =
  'dist/sdk.min.js is too large. Find out what grew (npm run bench -- sdk), and look for something to leave out. If nothing can go, raise LIMITS in scripts/facts.mjs in a commit of its own that lists the bytes by cause, and run npm run facts';

/** Writes the size of the current build into the files that quote it. */
export function writeFacts() {
  for (const { file, after } of outdated()) writeFileSync(file, after);
}

/** Returns the files that quote another size, with their new text. */
function outdated() {
  const bytes = readFileSync(sdk);
  const [minified, brotli] = [bytes, brotliCompressSync(bytes)].map(({ length }) =>
    length.toLocaleString('en-US'),
  );
  const size = `<!-- size -->${minified} bytes minified, ${brotli} with Brotli<!-- /size -->`;
  return QUOTING.flatMap((name) => {
    const file = new URL(name, root);
    const before = readFileSync(file, 'utf8');
    const after = before.replace(/<!-- size -->.*?<!-- \/size -->/gs, size);
    return before === after ? [] : [{ name, file, after }];
  });
}

function main({ isCheck }) {
  if (!existsSync(sdk)) return fail('There is no dist/sdk.min.js: run npm run build first');
  if (!isCheck) return writeFacts();
  for (const { name } of outdated())
    fail(`${name} does not quote the size of dist/sdk.min.js: run npm run facts`);
}

function fail(reason) {
  console.error(reason);
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main({ isCheck: process.argv.includes('--check') });
}
