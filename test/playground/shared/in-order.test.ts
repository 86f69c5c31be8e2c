import { expect, it } from 'vitest';
import { createOrder } from '../../../playground/shared/in-order.ts';

it('createOrder() runs changes one after the other and continues after one that fails', async () => {
  const inOrder = createOrder();
  const log: string[] = [];
  const change = (name: string, ms: number) =>
    inOrder(async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      log.push(`${name} ends`);
      if (name === 'b') throw new Error('b is refused');
      return name;
    });
  const ends = await Promise.allSettled([change('a', 20), change('b', 1), change('c', 1)]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const turns = ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'];
  expect(log).toEqual(turns);
});
