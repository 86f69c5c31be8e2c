import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LEAST_EXERCISED } from '../mock-server/delivery/simulation/report.ts';

const PAGE = new URL('../../docs/delivery-invariants.md', import.meta.url);
const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [, code = '', , , checkedBy = ''] = line.split('|');
    const files = [...checkedBy.matchAll(/\((\S+)\)/g)].map(([, path = '']) => path);
    return { code: code.trim().replaceAll('`', ''), files };
  });
const isSimulated = ({ files }: (typeof rows)[number]): boolean =>
  files.every((path) => path.includes('/simulation/'));
const simulated = rows.filter(isSimulated);

describe('docs/delivery-invariants.md', () => {
  it('lists each invariant of the simulation once', () => {
    // "H2 unbroken" is a rarer case of H2.
    const codes = Object.keys(LEAST_EXERCISED).map((name) => name.split(' ')[0]);
    expect(simulated.map(({ code }) => code).sort()).toEqual([...new Set(codes)].sort());
  });

  it.each(simulated)('names the files that check $code', ({ code, files }) => {
    const folder = new URL('../mock-server/delivery/simulation/', import.meta.url);
    const isChecking = (name: string): boolean =>
      new RegExp(`fail\\(\\s*'${code}'`).test(readFileSync(new URL(name, folder), 'utf8'));
    const checks = readdirSync(folder).filter((name) => name.startsWith('check-'));
    expect(files.map((path) => path.split('/').at(-1)).sort()).toEqual(
      checks.filter(isChecking).sort(),
    );
  });

  it('links only to files that exist', () => {
    for (const { files } of rows) {
      expect(files).not.toEqual([]);
      for (const path of files) expect(existsSync(new URL(path, PAGE)), path).toBe(true);
    }
  });
});
