import { describe, expect, it } from 'vitest';
import { readBuilt } from './built.ts';

describe('dist/mock-client.js', () => {
  const code = readBuilt('mock-client.js');

  it('contains the routes but not the service', () => {
    expect(code).toContain('/webhook-endpoints/{id}');
    expect(code).not.toMatch(/valibot|Hono|safeParse|strictObject/);
    // The file is unminified, with its comments and the scenario catalogue.
    expect(Buffer.byteLength(code)).toBeLessThan(16_000);
  });

  it('imports nothing', () => {
    expect(code).not.toMatch(/^import\b|\brequire\(/m);
  });
});

it.each(['mock', 'mock-node', 'mock-client', 'testing'])(
  'the declarations of %s do not mention the schema library',
  (name) => {
    expect(readBuilt(`${name}.d.ts`)).not.toMatch(/valibot|GenericSchema/);
  },
);
