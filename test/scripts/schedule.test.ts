import { describe, expect, it } from 'vitest';
import { runInOrder, type ScheduledStep } from '../../scripts/schedule.mjs';

/** Runs steps that end only when the test ends them. */
function schedule(...steps: ScheduledStep[]) {
  const log: string[] = [];
  const running = new Map<string, (result: { isPassed: boolean; isStopped?: boolean }) => void>();
  const ended = runInOrder(steps, ({ name }, unmet) => {
    log.push(unmet === undefined ? name : `${name} without ${unmet}`);
    if (unmet !== undefined) return Promise.resolve({ isPassed: false });
    return new Promise((resolve) => running.set(name, resolve));
  });
  return {
    ended,
    /** The steps that were started, and those that were refused because of an unmet need. */
    log,
    async end(
      name: string,
      result: { isPassed: boolean; isStopped?: boolean } = { isPassed: true },
    ): Promise<void> {
      running.get(name)?.(result);
      running.delete(name);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const step = (name: string, rules: Omit<ScheduledStep, 'name'> = {}): ScheduledStep => ({
  name,
  ...rules,
});

describe('the steps of npm test', () => {
  it('run two at a time, in their order', async () => {
    const { log, end, ended } = schedule(step('a'), step('b'), step('c'));
    expect(log).toEqual(['a', 'b']);
    await end('b');
    expect(log).toEqual(['a', 'b', 'c']);
    await end('a');
    await end('c');
    await ended;
  });

  it('start only after the steps that they need or follow', async () => {
    const { log, end } = schedule(
      step('build'),
      step('unit', { after: ['build'] }),
      step('package', { needs: ['build'] }),
      step('docs'),
    );
    expect(log).toEqual(['build', 'docs']);
    await end('build');
    expect(log).toEqual(['build', 'docs', 'unit']);
    await end('docs');
    expect(log).toEqual(['build', 'docs', 'unit', 'package']);
  });

  it('start after a failed step that they follow, and are refused after one that they need', async () => {
    const { log, end, ended } = schedule(
      step('build'),
      step('unit', { after: ['build'] }),
      step('package', { needs: ['build'] }),
      step('e2e', { needs: ['package'], isAlone: true }),
    );
    await end('build', { isPassed: false });
    await end('unit');
    await ended;
    expect(log).toEqual(['build', 'unit', 'package without build', 'e2e without package']);
  });

  it('run alone if they have to, once no other step is running', async () => {
    const { log, end } = schedule(step('a'), step('e2e', { isAlone: true }), step('b'));
    expect(log).toEqual(['a', 'b']);
    await end('a');
    expect(log).toEqual(['a', 'b']);
    await end('b');
    expect(log).toEqual(['a', 'b', 'e2e']);
  });

  it('do not start beside one that runs alone', async () => {
    const { log, end } = schedule(step('e2e', { isAlone: true }), step('b'));
    expect(log).toEqual(['e2e']);
    await end('e2e');
    expect(log).toEqual(['e2e', 'b']);
  });

  it('do not start after one was stopped', async () => {
    const { log, end, ended } = schedule(step('a'), step('b'), step('c'), step('d'));
    await end('a', { isPassed: false, isStopped: true });
    await end('b');
    await ended;
    expect(log).toEqual(['a', 'b']);
  });
});
