import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { combine, derive, single } from '../../../../playground/shared/live/loadable.ts';

const aLoadable = <T>(value: T | null, text = '') => ({
  data: signal<T | null>(value),
  error: signal(text),
});

it('derive() maps the data, and is null until the data is loaded', () => {
  const from = aLoadable<number>(null);
  const shown = derive(from, (n) => n * 2);
  expect(shown.data.value).toBeNull();
  from.data.value = 2;
  expect(shown.data.value).toBe(4);
});

it('combine() has data once all parts have, and shows the error of any part', () => {
  const a = aLoadable<number>(null);
  const b = aLoadable('b');
  const both = combine<{ a: number; b: string }>({ a, b });
  expect(both.data.value).toBeNull();
  a.data.value = 1;
  expect(both.data.value).toEqual({ a: 1, b: 'b' });
  expect(both.error.value).toBe('');
  b.error.value = 'It is broken';
  expect(both.error.value).toBe('It is broken');
});

it('single() returns the only item, and an error once it is deleted', () => {
  const list = aLoadable<readonly number[]>(null);
  const one = single(list, 'It was deleted');
  expect([one.data.value, one.error.value]).toEqual([null, '']);
  list.data.value = [7];
  expect([one.data.value, one.error.value]).toEqual([7, '']);
  list.data.value = [];
  expect([one.data.value, one.error.value]).toEqual([null, 'It was deleted']);
});
