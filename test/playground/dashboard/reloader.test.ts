import { expect, it } from 'vitest';
import { createReloader } from '../../../playground/dashboard/reloader.ts';

/** Work that ends when it is told to. */
function someWork() {
  const ends: (() => void)[] = [];
  return {
    begun: () => ends.length,
    work: () => new Promise<void>((resolve) => void ends.push(resolve)),
    end: (n: number) => ends[n - 1]?.(),
  };
}

const aTurn = () => new Promise((resolve) => setTimeout(resolve, 0));

it('never does it twice at once, and once more for all who asked meanwhile', async () => {
  const { begun, work, end } = someWork();
  const { ask } = createReloader(work);
  const first = ask();
  const later = [ask(), ask(), ask()];
  expect(begun()).toBe(1);
  end(1);
  await first;
  await aTurn();
  expect(begun()).toBe(2);
  end(2);
  await Promise.all(later);
  expect(begun()).toBe(2);
});

it('does not answer with what was begun before the question', async () => {
  const { work, end } = someWork();
  const { ask } = createReloader(work);
  void ask();
  let isAnswered = false;
  const second = ask().then(() => (isAnswered = true));
  end(1);
  await aTurn();
  expect(isAnswered).toBe(false);
  end(2);
  await second;
});

it('begins anew once all is quiet', async () => {
  const { begun, work, end } = someWork();
  const { ask } = createReloader(work);
  const first = ask();
  end(1);
  await first;
  void ask();
  expect(begun()).toBe(2);
});
