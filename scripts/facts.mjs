// Writes the numbers that the README quotes, measured on the built SDK.
//   node scripts/facts.mjs            writes them
//   node scripts/facts.mjs --check    checks whether they are still true
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { hash } from './integrity.mjs';

const root = new URL('../', import.meta.url);
const dist = new URL('dist/', root);
const readme = new URL('README.md', root);

/**
 * The size limit of the script tag's file, in bytes: today's size plus a little. Raise it in a separate
 * commit. About 1,000 bytes (brotli) are error messages in full sentences.
 */
export const LIMITS = { minified: 13_400, brotli: 5450 };

export function readFacts() {
  const file = readFileSync(new URL('sdk.min.js', dist));
  return { minified: file.length, brotli: brotliCompressSync(file).length, integrity: hash(file) };
}

/** Returns the README with today's facts. */
export function withFacts(text, facts) {
  const number = (value) => value.toLocaleString('en-US');
  return text
    .replace(/integrity="sha384-[^"]*"/g, `integrity="${facts.integrity}"`)
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
  const before = readFileSync(readme, 'utf8');
  const after = withFacts(before, readFacts());
  if (process.argv.includes('--check')) {
    if (before !== after) {
      console.error(
        'README.md quotes another size or hash than dist/sdk.min.js has: run node scripts/facts.mjs',
      );
      process.exit(1);
    }
  } else if (before !== after) writeFileSync(readme, after);
}
