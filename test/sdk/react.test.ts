import { act, createElement, StrictMode, useEffect, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { newOfAge, useWorld, world } from './world.ts';

useWorld();
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
});

/** Follows docs/guides/react-vue-svelte.md: one OfAge object for the lifetime of the component. */
function Gate({ onMount }: { onMount: () => void }): ReactElement {
  useEffect(() => {
    onMount();
    const ofAge = newOfAge();
    return () => ofAge.destroy();
  }, [onMount]);
  return createElement('p');
}

it('the component leaves no listener or element after React’s StrictMode mounted it twice and it was unmounted', async () => {
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
