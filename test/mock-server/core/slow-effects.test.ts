import { describe, expect, it } from 'vitest';
import type { Effect, JobHandler } from '../../../mock-server/store/scheduler.ts';
import { settle } from '../../support/manual-clock.ts';
import { createWorld } from './world.ts';

const SECOND = 1_000;

/** Creates the handler of a job whose effect hangs until it times out, or until `answer()` is called. */
function createHanging(story: string[]) {
  const running = new Set<() => void>();
  const handler: JobHandler = (_db, { id, ref }) => {
    let expire = (): void => {};
    const hanging = new Promise<void>((resolve) => (expire = resolve));
    running.add(expire);
    const effect: Effect = Object.assign(
      async () => {
        story.push(`${id} starts`);
        await hanging;
        running.delete(expire);
        story.push(`${id} ends`);
      },
      { timeout: { group: ref, expire } },
    );
    return effect;
  };
  /** Lets every hanging effect finish. */
  const answer = (): void => {
    for (const end of running) end();
  };
  return { handler, answer };
}

/** Tracks whether a clock move has finished. */
function watch(move: Promise<unknown>): { isOver: boolean } {
  const state = { isOver: false };
  void move.then(() => (state.isOver = true));
  return state;
}

describe('a clock move while an effect hangs', () => {
  it('waits five seconds of real time, then makes the effect time out before later jobs run', async () => {
    const story: string[] = [];
    const { handler } = createHanging(story);
    const { real, scheduler, add, ran } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    await add({ id: 'a', kind: 'hang', afterMs: 0 }, { id: 'later', afterMs: 20 * SECOND });
    const move = watch(scheduler.clock.advance(60 * SECOND));
    await real.pass(5 * SECOND - 1);
    expect({ story, ran, move }).toEqual({ story: ['a starts'], ran: [], move: { isOver: false } });
    await real.pass(1);
    expect(story).toEqual(['a starts', 'a ends']);
    expect(ran).toEqual(['later at 20000']);
    expect(move.isOver).toBe(true);
  });

  it('waits five seconds for an effect that was in progress before the move', async () => {
    const story: string[] = [];
    const { handler } = createHanging(story);
    const { real, scheduler, add } = createWorld({ handlers: { hang: handler } });
    scheduler.start();
    await add({ id: 'a', kind: 'hang', afterMs: 0 });
    await real.pass(20 * SECOND);
    expect(story).toEqual(['a starts']);
    const move = watch(scheduler.clock.advance(SECOND));
    await real.pass(5 * SECOND - 1);
    expect(story).toEqual(['a starts']);
    await real.pass(1);
    expect(story).toEqual(['a starts', 'a ends']);
    expect(move.isOver).toBe(true);
    await scheduler.stop();
  });

  it('waits for an effect that finishes in time before it moves the clock further', async () => {
    const story: string[] = [];
    const { handler, answer } = createHanging(story);
    const { real, scheduler, add, ran } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    await add({ id: 'a', kind: 'hang', afterMs: 0 }, { id: 'later', afterMs: 20 * SECOND });
    const move = watch(scheduler.clock.advance(60 * SECOND));
    await real.pass(4 * SECOND);
    expect(ran).toEqual([]);
    answer();
    await settle();
    expect(ran).toEqual(['later at 20000']);
    expect(move.isOver).toBe(true);
  });

  it('runs jobs that become due during the wait within 50 ms', async () => {
    const { handler } = createHanging([]);
    const { real, scheduler, add, ran } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    await add({ id: 'a', kind: 'hang', afterMs: 0 });
    void scheduler.clock.advance(60 * SECOND);
    await real.pass(SECOND);
    await add({ id: 'new', afterMs: 0 });
    await real.pass(50);
    expect(ran).toEqual(['new at 0']);
    await real.pass(5 * SECOND);
  });

  it('waits only 50 ms for effects of a group that has already hung in this move, and five seconds again in the next move', async () => {
    const story: string[] = [];
    const { handler } = createHanging(story);
    const { real, scheduler, add } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    const hang = (id: string, afterS: number, ref = 'endpoint') => ({
      id,
      kind: 'hang',
      afterMs: afterS * SECOND,
      ref,
    });
    await add(hang('a', 0), hang('b', 100), hang('c', 200), hang('other', 300, 'other endpoint'));
    const move = watch(scheduler.clock.advance(250 * SECOND));
    await real.pass(5 * SECOND + 100);
    expect(story.filter((line) => line.endsWith('ends'))).toEqual(['a ends', 'b ends', 'c ends']);
    expect(move.isOver).toBe(true);

    await add(hang('d', 260));
    const next = watch(scheduler.clock.advance(600 * SECOND));
    await real.pass(5 * SECOND - 1);
    expect(story).not.toContain('d ends');
    await real.pass(1);
    expect(story).toContain('d ends');
    // A different group is a different receiver, so the full wait applies again.
    expect(story).not.toContain('other ends');
    await real.pass(5 * SECOND);
    expect(story).toContain('other ends');
    expect(next.isOver).toBe(true);
  });

  it('leaves no timer behind', async () => {
    const { handler, answer } = createHanging([]);
    const { real, scheduler, add } = createWorld({ handlers: { hang: handler } });
    await scheduler.clock.freeze();
    await add({ id: 'a', kind: 'hang', afterMs: 0 });
    void scheduler.clock.advance(SECOND);
    await real.pass(10);
    answer();
    await settle();
    expect(real.sleepers).toBe(0);
  });
});
