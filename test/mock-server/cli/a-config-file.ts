import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

export let folder: string;
export let file: string;

export const write = (config: unknown): string => {
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
  return file;
};
export const one = (tenant: object) => ({ tenants: [{ name: 'Wine', ...tenant }] });

export const FULL = {
  tenants: [
    {
      name: 'Wine',
      publishableKey: 'pk_wine_1',
      secretKey: 'sk_wine_1',
      policy: { verificationMode: 'L2', challengeAge: 30, faceMatchEnabled: false },
      allowedDomains: ['wine.example', '*.wine.example'],
      sandboxMode: false,
      rateLimits: { create: 1000 },
      endpoints: [
        { url: 'http://localhost:9/hooks', events: ['session.timeout'], secret: 'whsec_1' },
      ],
    },
    { name: 'Beer' },
  ],
};

/** Creates a folder for the configuration of each test. */
export function useFolder(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ofage-config-'));
    file = join(folder, 'mock.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
}
