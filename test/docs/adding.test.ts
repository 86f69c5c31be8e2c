import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const guide = readFileSync(new URL('docs/adding.md', root), 'utf8');

const parts = guide.split(/^## /m).slice(1);

describe('docs/adding.md', () => {
  it('has five sections', () => {
    expect(parts).toHaveLength(5);
  });

  it.each(parts.map((part) => [part.split('\n')[0], part] as const))(
    'names files that exist and mention the example: %s',
    (_, part) => {
      const example = /^Example: `([^`]+)`$/m.exec(part)?.[1];
      const files = Array.from(part.matchAll(/^\| `([^`]+)`/gm), ([, path]) => path!);
      expect(example).toBeDefined();
      expect(files.length).toBeGreaterThan(2);
      for (const path of files) {
        expect(existsSync(new URL(path, root)), path).toBe(true);
        const isMessageFile = path.endsWith(`/${example}.ts`);
        if (!isMessageFile)
          expect(readFileSync(new URL(path, root), 'utf8'), path).toContain(example);
      }
    },
  );
});
