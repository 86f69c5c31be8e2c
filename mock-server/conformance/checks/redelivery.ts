import type { Check } from '../check.ts';
import { describeWebhooks } from '../hooks.ts';
import type { ReceivedWebhook } from '../inbox.ts';
import { ensure } from '../outcome.ts';
import type { Hook, World } from '../world.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { countDuring, DAY_MS, deliver, HOUR_MS, SECRET, verify } from './deliver.ts';
import { expectSignature } from './signatures.ts';

interface Undelivered {
  readonly hook: Hook;
  /** The first of the refused requests. */
  readonly first: ReceivedWebhook;
}

/**
 * Responds to an event with 410 until the service pauses the endpoint, then resumes the endpoint with a
 * successful test event. The event stays undelivered.
 */
async function loseEvent(world: World): Promise<Undelivered> {
  const hook = await deliver(world, () => ({ status: 410 }), { secret: SECRET });
  const [first] = hook.received();
  if (!first) return world.skip('no webhook arrived');
  await world.driver.advance(2 * HOUR_MS);
  hook.respond(() => ({ status: 204 }));
  await world.driver.resumeEndpoint(hook.id);
  await hook.quiet();
  return { hook, first };
}

const textOf = ({ bytes }: ReceivedWebhook): string => new TextDecoder().decode(bytes);

/** Starts a redelivery, and returns the webhooks that arrive. */
async function redeliver(world: World, hook: Hook): Promise<readonly ReceivedWebhook[]> {
  const before = (await hook.quiet()).length;
  await world.driver.redeliver(hook.id);
  await world.driver.advance(0);
  return (await hook.quiet()).slice(before);
}

const ROWS: readonly CheckRow[] = [
  {
    id: 'same',
    sentence: 'A redelivered event has its original body and eventId',
    async run(world) {
      const { hook, first } = await loseEvent(world);
      const sent = await redeliver(world, hook);
      ensure(sent.length === 1, 'one redelivered event', describeWebhooks(sent));
      const isSame = sent[0] !== undefined && textOf(sent[0]) === textOf(first);
      ensure(isSame, `the body ${textOf(first)}`, sent[0] ? textOf(sent[0]) : 'nothing');
    },
  },
  {
    id: 'once',
    sentence: 'An event that was redelivered is not sent again by the next redelivery',
    async run(world) {
      const { hook } = await loseEvent(world);
      await redeliver(world, hook);
      const sent = await redeliver(world, hook);
      ensure(sent.length === 0, 'nothing to redeliver', describeWebhooks(sent));
    },
  },
  {
    id: 'only-undelivered',
    sentence: 'Only undelivered events are redelivered, and no delivered ones',
    async run(world) {
      const { hook } = await loseEvent(world);
      await verify(world);
      const sent = await redeliver(world, hook);
      ensure(sent.length === 1, 'the undelivered event alone', describeWebhooks(sent));
    },
  },
  {
    id: 'current-secret',
    section: 'Authentication',
    sentence: 'A redelivered event is signed with the current secret of the endpoint',
    needs: ['changeEndpoint'],
    async run(world) {
      const { hook } = await loseEvent(world);
      await world.driver.changeEndpoint(hook.id, { secret: `${SECRET}_new` });
      const [sent] = await redeliver(world, hook);
      ensure(sent !== undefined, 'one redelivered event', 'nothing');
      await expectSignature(sent, `${SECRET}_new`);
    },
  },
  {
    id: 'original-url',
    sentence:
      'A redelivered event is sent to the URL that the endpoint had when the event was created',
    needs: ['changeEndpoint', 'testEndpoint'],
    async run(world) {
      const { hook } = await loseEvent(world);
      const other = await world.mailbox();
      await world.driver.changeEndpoint(hook.id, { url: other.url });
      // Redelivery requires that the endpoint has accepted a request at its new URL.
      await world.driver.testEndpoint(hook.id);
      const sent = await redeliver(world, hook);
      const moved = other.received().filter(({ body }) => body.test !== true);
      ensure(
        sent.length === 1 && moved.length === 0,
        'the event at the first URL',
        `${sent.length} at the first URL and ${moved.length} at the new one`,
      );
    },
  },
  {
    id: 'seven-days',
    sentence: 'An event that is older than seven days is not redelivered',
    async run(world) {
      const { hook } = await loseEvent(world);
      await world.driver.advance(7 * DAY_MS);
      const sent = await redeliver(world, hook);
      ensure(sent.length === 0, 'nothing older than seven days', describeWebhooks(sent));
    },
  },
  {
    id: 'seven-days.given-up',
    sentence: 'The seven days begin with the event, and not when the service gives up',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 500 }));
      await world.driver.advance(2 * DAY_MS);
      hook.respond(() => ({ status: 204 }));
      await world.driver.resumeEndpoint(hook.id);
      await world.driver.advance(5 * DAY_MS + HOUR_MS);
      const sent = await redeliver(world, hook);
      ensure(sent.length === 0, 'nothing older than seven days', describeWebhooks(sent));
    },
  },
  {
    id: 'six-days',
    sentence: 'An event that is six days old is redelivered',
    async run(world) {
      const { hook } = await loseEvent(world);
      await world.driver.advance(6 * DAY_MS);
      const sent = await redeliver(world, hook);
      ensure(sent.length === 1, 'the event that is six days old', describeWebhooks(sent));
    },
  },
  {
    id: 'during-pause',
    sentence: 'A paused endpoint receives no redelivered events',
    level: 'reading',
    async run(world) {
      const hook = await deliver(world, () => ({ status: 410 }));
      await world.driver.advance(2 * HOUR_MS);
      const queued = await world.driver.redeliver(hook.id).catch(() => 0);
      const requests = await countDuring(world, hook, 0);
      ensure(
        queued === 0 && requests === 0,
        'no redelivery during a pause',
        `${queued} events queued and ${requests} requests`,
      );
    },
  },
  {
    id: 'batch',
    sentence: 'A redelivery sends at most 500 events, and the next redelivery sends the rest',
    settings: { createLimit: 100_000 },
    async run(world) {
      const hook = await world.hook({ events: ['session.started', 'verification.cancelled'] });
      hook.respond(() => ({ status: 410 }));
      await world.settle(await world.create(), 'cancelled');
      await world.driver.advance(2 * HOUR_MS);
      // The endpoint is paused, so the events are recorded without a request.
      for (let n = 0; n < BATCH; n += CHUNK) {
        await Promise.all(Array.from({ length: CHUNK }, () => world.create()));
      }
      hook.respond(() => ({ status: 204 }));
      await world.driver.resumeEndpoint(hook.id);
      const first = await world.driver.redeliver(hook.id);
      ensure(first === BATCH, `${BATCH} events in the first batch`, `${first}`);
      await world.driver.advance(HOUR_MS);
      const second = await world.driver.redeliver(hook.id);
      ensure(second === 2, '2 events in the second batch', `${second}`);
    },
  },
];

const BATCH = 500;
const CHUNK = 50;

export const REDELIVERY_CHECKS: readonly Check[] = defineChecks(
  {
    section: 'Events',
    prefix: 'webhooks.redelivery',
    needs: [
      'addEndpoint',
      'removeEndpoint',
      'settle',
      'advance',
      'resumeEndpoint',
      'redeliver',
      'now',
    ],
    kind: 'slow',
  },
  ROWS,
);
