import { forEach, namedBy, type Check } from '../check.ts';
import type { EventKind } from '../driver.ts';
import type { ReceivedWebhook } from '../inbox.ts';
import { ensure } from '../outcome.ts';
import type { World } from '../world.ts';
import { LIFETIME_MS } from './bodies.ts';
import { defineChecks, type CheckRow } from './define.ts';

const KINDS = [
  'session.started',
  'verification.completed',
  'verification.failed',
  'verification.cancelled',
  'session.timeout',
] as const satisfies readonly EventKind[];

/** Ends one session with each result, and lets a fourth session time out. */
async function runAll(world: World): Promise<void> {
  for (const status of ['verified', 'failed', 'cancelled'] as const)
    await world.settle(await world.create(), status);
  await world.create();
  await world.driver.advance(LIFETIME_MS);
}

const kindsOf = (webhooks: readonly ReceivedWebhook[]): string =>
  [...new Set(webhooks.map(({ body }) => body.event))].sort().join(', ');

const ROWS: readonly CheckRow[] = [
  {
    id: 'subscription.one',
    sentence: 'An endpoint that is subscribed to one kind of event receives no others',
    kind: 'slow',
    needs: ['settle', 'advance'],
    settings: {},
    ...forEach(namedBy(...KINDS), async (world, kind) => {
      const hook = await world.hook({ events: [kind] });
      await runAll(world);
      await hook.waitForEvent(kind);
      const received = kindsOf(await hook.quiet());
      ensure(received === kind, `only ${kind}`, received);
    }),
  },
  {
    id: 'subscription.several',
    sentence: 'Each of two endpoints of an account receives the events to which it is subscribed',
    needs: ['settle'],
    settings: {},
    async run(world) {
      const all = await world.hook();
      const some = await world.hook({ events: ['verification.completed', 'session.started'] });
      await world.settle(await world.create(), 'verified');
      for (const hook of [all, some]) {
        await hook.waitFor(2);
        const received = kindsOf(await hook.quiet());
        ensure(received === 'session.started, verification.completed', 'both events', received);
      }
    },
  },
];

/** Checks of the events to which endpoints are subscribed. */
export const SUBSCRIPTION_CHECKS: readonly Check[] = defineChecks(
  { section: 'Events', prefix: 'events', needs: ['addEndpoint'] },
  ROWS,
);
