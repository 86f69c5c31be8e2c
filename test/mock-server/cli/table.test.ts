import { expect, it } from 'vitest';
import { toTable } from '../../../mock-server/cli/table.ts';

const columns = [
  { title: 'NAME', of: ({ name }: { name: string | null }) => name },
  { title: 'N', of: ({ n }: { n: number }) => n },
];

it('toTable() aligns columns, shows a missing value as a dash, and trims trailing spaces', () => {
  const items = [
    { name: 'a long name', n: 1 },
    { name: null, n: 20 },
  ];
  expect(toTable(columns, items)).toEqual(['NAME         N', 'a long name  1', '-            20']);
});

it('toTable() escapes control characters, so that data cannot move the cursor', () => {
  const [, row] = toTable(columns, [{ name: 'a\u001b[2J\nb\u009b', n: 0 }]);
  expect(row).toBe('a\\x1b[2J\\x0ab\\x9b  0');
});
