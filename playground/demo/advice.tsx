import type { JSX } from 'preact';
import { countOf } from '../shop/goods.ts';
import { toNextStep } from '../shop/next-step.ts';
import type { Shop } from '../shop/state.ts';
import type { Guide } from './guide.ts';
import { findTask } from './tasks.ts';

/** Returns the advice of the current task for the age gate. Null if there is none. */
export function toAdvice(shop: Shop, guide: Guide | null): JSX.Element | null {
  const id = guide?.current.value ?? null;
  if (id === null) return null;
  const { title, coach } = findTask(id);
  const { kind } = toNextStep(shop.hint.value, shop.access.value, shop.decision.value);
  if (coach === null || kind === 'waiting') return null;
  const next = countOf(shop.basket.value) === 0 ? 'Choose a bottle' : 'Go to your basket';
  return (
    <>
      <b>{title}:</b>{' '}
      {kind === 'open' ? `Your age is confirmed. ${next} and place the order.` : coach}
    </>
  );
}
