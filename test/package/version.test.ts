import { describe, expect, it } from 'vitest';
import { DOCS_URL, SDK_HELP } from '../../mock-server/api/brand.ts';
import { VERSION as MOCK_VERSION } from '../../mock-server/cli/version.ts';
import { HELP_URL, VERSION } from '../../src/brand.ts';
import { HELP_URL as SERVER_HELP_URL } from '../../src/server/brand.ts';
import { MANIFESTS, readBuilt } from './built.ts';

describe('the version of each package', () => {
  it('is the same in its sources and in its package.json', () => {
    expect(VERSION).toBe(MANIFESTS.ofage.version);
    expect(MOCK_VERSION).toBe(MANIFESTS['ofage-mock'].version);
  });

  it.each(['index.js', 'sdk.min.js', 'server.js'])('is in the first line of %s', (name) => {
    expect(readBuilt('ofage', name).slice(0, 100)).toContain(`OfAge ${VERSION} | MIT`);
  });

  it.each(['index.js', 'node.js', 'ofage-mock.js', 'testing.js', 'conformance.cjs'])(
    "is in the first lines of the mock's %s",
    (name) => {
      const begin = readBuilt('ofage-mock', name).slice(0, 100);
      expect(begin).toContain(`OfAge mock ${MOCK_VERSION} | MIT`);
    },
  );
});

describe('the address of the documentation', () => {
  it('equals the homepage in both manifests', () => {
    const { homepage } = MANIFESTS.ofage;
    expect(MANIFESTS['ofage-mock'].homepage).toBe(homepage);
    expect(DOCS_URL).toBe(`${homepage}/`);
    expect(HELP_URL).toBe(`${homepage}/errors/`);
    expect(SDK_HELP).toBe(HELP_URL);
    expect(SERVER_HELP_URL).toBe(`${homepage}/errors/`);
  });
});
