import { describe, expect, it } from 'vitest';
import { DOCS_URL, SDK_HELP } from '../../mock-server/api/brand.ts';
import { HELP_URL, VERSION } from '../../src/brand.ts';
import { HELP_URL as SERVER_HELP_URL } from '../../src/server/brand.ts';
import { MANIFEST, readBuilt } from './built.ts';

describe('the version', () => {
  it('is that of the interface specification, in the code and in package.json', () => {
    expect(VERSION).toBe('3.5.6');
    expect(MANIFEST.version).toBe(VERSION);
  });

  it.each(['index.js', 'sdk.min.js', 'server.js', 'mock.js', 'mock-node.js', 'ofage-mock.js'])(
    'is in the first line of dist/%s',
    (name) => {
      expect(readBuilt(name).slice(0, 100)).toContain(`OfAge ${VERSION} | MIT`);
    },
  );
});

describe('the address of the documentation', () => {
  it('equals the homepage in package.json', () => {
    expect(DOCS_URL).toBe(`${MANIFEST.homepage}/`);
    expect(HELP_URL).toBe(`${MANIFEST.homepage}/errors/`);
    expect(SDK_HELP).toBe(HELP_URL);
    expect(SERVER_HELP_URL).toBe(`${MANIFEST.homepage}/errors/`);
  });
});
