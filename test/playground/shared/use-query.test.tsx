// @vitest-environment jsdom
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { expect, it } from 'vitest';
import { createMockService } from 'ofage-mock';
import type { Connection } from '../../../playground/shared/live.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { useProblem, useQuery } from '../../../playground/shared/use-query.ts';
import { showPage } from './kit/a-page.tsx';
import { waitFor } from '../../support/wait-for.ts';

interface Pending {
  readonly asked: string;
  answer(text: string): void;
  refuse(error: Error): void;
}

it('useQuery() keeps the previous data until the query with the next key has loaded', async () => {
  const service = createMockService();
  const { live } = createProvider(service);
  const pending: Pending[] = [];
  const newest = (asked: string) =>
    waitFor(() => {
      const found = pending.findLast((one) => one.asked === asked);
      if (!found) throw new Error(`No read for "${asked}"`);
      return found;
    });

  function Answer({ asked }: { asked: string }): JSX.Element {
    const { data, error } = useQuery(live, {
      key: asked,
      topics: [],
      read: () => new Promise<string>((answer, refuse) => pending.push({ asked, answer, refuse })),
    });
    return (
      <p>
        {data ?? 'nothing'} {error}
      </p>
    );
  }

  const page = await showPage(<Answer asked="one" />);
  const shown = () => page.get('p').textContent?.trim();
  expect(shown()).toBe('nothing');
  const first = await newest('one');
  await page.act(() => first.answer('1'));
  expect(shown()).toBe('1');

  await page.show(<Answer asked="two" />);
  expect(shown()).toBe('1');
  const second = await newest('two');
  await page.show(<Answer asked="three" />);
  // A stale response to a previous key is ignored.
  await page.act(() => second.answer('2'));
  expect(shown()).toBe('1');
  const third = await newest('three');
  await page.act(() => third.refuse(new Error('Not found')));
  await waitFor(() => expect(shown()).toBe('1 Not found'));
  await page.show(null);
  await service.close();
});

it('useProblem() drops an error when the lost connection, which probably caused it, is back', async () => {
  const connection = signal<Connection>('open');
  const problems: ReturnType<typeof useProblem>[] = [];
  function Panel(): JSX.Element {
    const problem = useProblem({ connection });
    problems.push(problem);
    return <p>{problem.text}</p>;
  }
  const page = await showPage(<Panel />);
  const shown = () => page.get('p').textContent;
  await page.act(() => problems.at(-1)?.set(new Error('Refused')));
  await page.act(() => (connection.value = 'open'));
  expect(shown()).toBe('Refused');
  await page.act(() => (connection.value = 'lost'));
  await page.act(() => (connection.value = 'open'));
  expect(shown()).toBe('');
});
