import { expect, it } from 'vitest';
import { closeAll } from '../../mock-server/conformance/close-all.ts';

it('closeAll() closes everything in order, and rejects with the first error', async () => {
  const closed: string[] = [];
  const close = (name: string, error?: string) => async () => {
    closed.push(name);
    if (error !== undefined) throw new Error(error);
  };
  const closers = [close('a'), close('b', 'first'), close('c', 'second'), close('d')];
  await expect(closeAll(closers)).rejects.toThrow('first');
  expect(closed).toEqual(['a', 'b', 'c', 'd']);
});
