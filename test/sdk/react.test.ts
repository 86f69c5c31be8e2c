import { act, createElement, StrictMode, useEffect, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { newOfAge, useWorld, world } from './world.ts';

useWorld();
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
});

/** As docs/guides/react.md has it: one object for the component's life. */
function Gate({ onMount }: { onMount: () => void }): ReactElement {
  useEffect(() => {
    onMount();
    const ofAge = newOfAge();
    return () => ofAge.destroy();
  }, [onMount]);
  return createElement('p');
}

it('real React in StrictMode mounts twice, and nothing is left once the component is gone', async () => {
  const onMount = vi.fn();
  const heads = document.head.childElementCount;
  const root = createRoot(document.createElement('div'));
  await act(() => root.render(createElement(StrictMode, null, createElement(Gate, { onMount }))));
  expect(onMount).toHaveBeenCalledTimes(2);
  await act(() => root.unmount());
  await world.elapse(10_000);
  expect(world.listeners.filter(({ type }) => type !== 'selectionchange')).toEqual([]);
  expect(world.fetch).not.toHaveBeenCalled();
  expect(document.head.childElementCount).toBe(heads);
});
