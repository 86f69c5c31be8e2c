import { expect, it } from 'vitest';
import { createOrder } from '../../../playground/shared/in-order.ts';

it('createOrder() runs each change after the one before it, also if that one has failed', async () => {
  const inOrder = createOrder();
  const log: string[] = [];
  const run = (name: string, isBad = false) =>
    inOrder(async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (isBad) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([run('a'), run('b', true), run('c')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
