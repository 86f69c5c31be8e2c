import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBuilt, ROOT } from './built.ts';

describe('dist/mock-client.js', () => {
  const entry = readBuilt('mock-client.js');
  const shared = Array.from(entry.matchAll(/"\.\/(shared\/[^"]+)"/g), ([, path]) =>
    readBuilt(path!),
  );
  const code = [entry, ...shared].join('\n');

  it('contains the routes but not the service', () => {
    expect(code).toContain('/webhook-endpoints/{id}');
    expect(code).not.toMatch(/valibot|Hono|safeParse|strictObject/);
    // The files are unminified, with the scenario catalogue.
    expect(Buffer.byteLength(code)).toBeLessThan(16_000);
  });

  it('imports nothing but its own parts', () => {
    expect(shared.length).toBeGreaterThan(0);
    expect(code).not.toMatch(/\b(from|import|require\() ?"(?!\.)/);
  });
});

const DECLARATIONS = ['', 'shared/'].flatMap((folder) =>
  readdirSync(join(ROOT, 'dist', folder))
    .filter((name) => name.endsWith('.d.cts'))
    .map((name) => `${folder}${name}`),
);

it.each(DECLARATIONS)('%s does not mention the schema library', (path) => {
  expect(readBuilt(path)).not.toMatch(/valibot|GenericSchema/);
});
