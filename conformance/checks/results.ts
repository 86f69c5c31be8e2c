import type { Check } from '../check.ts';
import type { SettledStatus } from '../driver.ts';
import { expectMatch } from '../matchers.ts';
import { ensure } from '../outcome.ts';
import { defineChecks, type CheckRow } from './define.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const GRID_MS = 5 * SECOND_MS;

/** Pairs of a first result and a different later result. */
const LATER: readonly (readonly [first: SettledStatus, second: SettledStatus])[] = [
  ['verified', 'failed'],
  ['failed', 'verified'],
  ['cancelled', 'verified'],
];

const FINAL: readonly CheckRow[] = LATER.map(([first, second]) => ({
  id: `final.${first}`,
  level: 'should',
  sentence: `A ${first} session keeps its result and sends no second event if another result follows`,
  needs: ['addEndpoint'],
  async run(world) {
    const events = ['verification.completed', 'verification.failed', 'verification.cancelled'];
    const hook = await world.hook({ events: events as never });
    const session = await world.create();
    await world.settle(session, first);
    // The service may refuse the second result, or ignore it.
    await world.settle(session, second).catch(() => {});
    const { json } = await world.validate(session.sessionId);
    expectMatch('the body', json, { status: first, verified: first === 'verified' }, false);
    const { length } = await hook.quiet();
    ensure(length === 1, 'one event about the result', `${length}`);
  },
}));

const TIMES: readonly CheckRow[] = [
  {
    id: 'timestamp',
    section: 'POST /sessions/validate',
    kind: 'slow',
    sentence:
      'The timestamp of a result is the time of completion, and not of the validate request',
    needs: ['advance'],
    async run(world) {
      const session = await world.create();
      const completedAt = world.at(await world.now());
      await world.settle(session, 'verified');
      await world.driver.advance(2 * MINUTE_MS);
      const { json } = await world.validate(session.sessionId);
      expectMatch('the body', json, { timestamp: completedAt }, false);
    },
  },
];

const GRID: readonly CheckRow[] = [
  {
    id: 'timeout.grid',
    level: 'reading',
    kind: 'slow',
    settings: {},
    sentence: 'The retry of a session.timeout starts at a multiple of five seconds',
    needs: ['addEndpoint', 'advance', 'now'],
    async run(world) {
      const { advance } = world.driver;
      // Moves the deadline between two multiples of five seconds, so that a plain delay cannot end at a
      // multiple by chance.
      await advance(GRID_MS - ((await world.now()) % GRID_MS) + GRID_MS / 2);
      const hook = await world.hook({ events: ['session.timeout'] });
      hook.respond((n) => ({ status: n === 1 ? 500 : 204 }));
      await world.create();
      await advance(10 * MINUTE_MS);
      await hook.waitFor(1);
      for (let second = 0; second < 60 && hook.received().length === 1; second += 1)
        await advance(SECOND_MS);
      const afterMs = (await world.now()) % GRID_MS;
      ensure(hook.received().length === 2, 'a second attempt within a minute', 'none');
      const isOnGrid = afterMs < SECOND_MS;
      ensure(isOnGrid, 'the attempt at a multiple of five seconds', `${afterMs} ms after one`);
    },
  },
];

/** Checks of the finality and the time of results, and of the time of retries. */
export const RESULT_CHECKS: readonly Check[] = [
  ...defineChecks(
    { section: 'States and transitions', prefix: 'states', needs: ['settle'] },
    FINAL,
  ),
  ...defineChecks(
    { section: 'POST /sessions/validate', prefix: 'validate', needs: ['settle'] },
    TIMES,
  ),
  ...defineChecks({ section: 'Limits', prefix: 'webhooks.retries' }, GRID),
];
