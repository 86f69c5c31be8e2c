import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DOCS_URL, SDK_HELP } from '../../mock-server/api/brand.ts';
import { HELP_URL, VERSION } from '../../src/brand.ts';
import { HELP_URL as SERVER_HELP_URL } from '../../src/server/brand.ts';
import { MANIFEST, readBuilt, ROOT } from './built.ts';

describe('the version', () => {
  it('equals the version of the interface specification', () => {
    expect(VERSION).toBe('3.5.6');
  });

  it('equals the version in package.json', () => {
    expect(MANIFEST.version).toBe(VERSION);
  });

  it.each(['index.js', 'index.cjs'])('is exported by dist/%s', (name) => {
    readBuilt(name);
    const built = createRequire(import.meta.url)(join(ROOT, 'dist', name)) as {
      VERSION: string;
      OfAge: { VERSION: string };
    };
    expect(built.VERSION).toBe(VERSION);
    expect(built.OfAge.VERSION).toBe(VERSION);
  });

  it.each(['sdk.min.js', 'ofage.min.js'])('is on the global of dist/%s', (name) => {
    const page: { OfAge?: { VERSION: string } } = {};
    runInNewContext(readBuilt(name), page);
    expect(page.OfAge?.VERSION).toBe(VERSION);
  });

  it.each(['index.js', 'sdk.min.js', 'server.js', 'mock.js', 'mock-node.js', 'ofage-mock.js'])(
    'is in the first line of dist/%s',
    (name) => {
      expect(readBuilt(name).slice(0, 100)).toContain(`OfAge ${VERSION} | MIT`);
    },
  );

  it('is printed by ofage-mock --version', () => {
    const said = execFileSync(process.execPath, [join(ROOT, 'dist/ofage-mock.js'), '--version'], {
      encoding: 'utf8',
    });
    expect(said).toContain(VERSION);
  });
});

describe('the address of the documentation', () => {
  it('equals the homepage in package.json', () => {
    expect(DOCS_URL).toBe(`${MANIFEST.homepage}/`);
    expect(HELP_URL).toBe(`${MANIFEST.homepage}/errors/`);
    expect(SDK_HELP).toBe(HELP_URL);
    expect(SERVER_HELP_URL).toBe(`${MANIFEST.homepage}/errors/`);
  });
});
