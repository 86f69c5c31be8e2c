import { expect, it } from 'vitest';
import { SHAPES } from '../../../mock-server/service/row-shapes.ts';
import { LOG_FORMAT } from '../../../mock-server/store/log.ts';

it('the rows of this format have not changed: a change raises LOG_FORMAT and gets a new file', async () => {
  const lines = Object.entries(SHAPES).flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, { name }]) => `${table}.${column}: ${name}`),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`rows-of-format-${LOG_FORMAT}.txt`);
});
