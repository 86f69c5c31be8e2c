import { forEach, type Check } from '../check.ts';
import type { EventKind, SettledStatus } from '../driver.ts';
import { expectMatch } from '../matchers.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { expectCount, MINUTE_MS } from './deliver.ts';

/** A first result, and a different later result. */
const LATER: Readonly<Record<string, readonly [first: SettledStatus, second: SettledStatus]>> = {
  'verified, failed': ['verified', 'failed'],
  'verified, cancelled': ['verified', 'cancelled'],
  'failed, verified': ['failed', 'verified'],
  'failed, cancelled': ['failed', 'cancelled'],
  'cancelled, verified': ['cancelled', 'verified'],
};

const ENDS: readonly EventKind[] = [
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
];

const FINAL: readonly CheckRow[] = [
  {
    id: 'final',
    level: 'reading',
    sentence:
      'A session keeps its first result and sends no second event if another result follows',
    needs: ['addEndpoint'],
    ...forEach(LATER, async (world, [first, second]) => {
      const hook = await world.hook({ events: ENDS });
      const session = await world.create();
      await world.settle(session, first);
      // The service may refuse the second result, or ignore it.
      await world.settle(session, second).catch(() => {});
      const { json } = await world.validate(session.sessionId);
      expectMatch('the body', json, { status: first, verified: first === 'verified' }, false);
      await expectCount(hook, 1, 'about the result');
    }),
  },
];

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
  {
    id: 'expiresAt',
    kind: 'slow',
    sentence: 'A result expires ten minutes after the creation of its session, however late it is',
    needs: ['advance'],
    async run(world) {
      const session = await world.create();
      const expiresAt = world.at(Date.parse(session.expiresAt));
      await world.driver.advance(2 * MINUTE_MS);
      await world.settle(session, 'verified');
      const { json } = await world.validate(session.sessionId);
      expectMatch('the body', json, { expiresAt }, false);
    },
  },
];

/** Checks of the finality and the time of results. */
export const RESULT_CHECKS: readonly Check[] = [
  ...defineChecks(
    { section: 'States and transitions', prefix: 'states', needs: ['settle'] },
    FINAL,
  ),
  ...defineChecks(
    { section: 'POST /sessions/validate', prefix: 'validate', needs: ['settle'] },
    TIMES,
  ),
];
