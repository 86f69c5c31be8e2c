import { forEach, namedBy, type Check } from '../check.ts';
import { describeWebhooks } from '../hooks.ts';
import { EndpointRefusal } from '../driver.ts';
import { CheckSkip, ensure } from '../outcome.ts';
import type { Hook, HookOptions, World } from '../world.ts';
import { defineChecks, type CheckRow } from './define.ts';
import { count, countDuring, DAY_MS, deliver, HOUR_MS, MINUTE_MS, verify } from './deliver.ts';
import { expectSignature } from './signatures.ts';

/** Causes the automatic pause of an endpoint, which takes about an hour of rejections. */
async function pause(world: World, options: HookOptions = {}): Promise<Hook> {
  const hook = await deliver(world, () => ({ status: 410 }), options);
  await world.driver.advance(HOUR_MS + 11 * MINUTE_MS);
  await expectPaused(world, hook, true);
  return hook;
}

async function expectPaused(
  world: World,
  { id }: Pick<Hook, 'id'>,
  isPaused: boolean,
): Promise<void> {
  const actual = (await world.driver.endpointHealth(id)).isPaused;
  const describe = (value: boolean): string => (value ? 'a paused endpoint' : 'an active endpoint');
  ensure(actual === isPaused, describe(isPaused), describe(actual));
}

const AUTOMATIC: readonly CheckRow[] = [
  {
    id: 'rejecting',
    sentence: 'An endpoint that rejects requests, for example with 410, for an hour is paused',
    ...forEach(namedBy(401, 403, 404, 410), async (world, status) => {
      const hook = await deliver(world, () => ({ status }));
      await world.driver.advance(HOUR_MS - MINUTE_MS);
      await expectPaused(world, hook, false);
      await world.driver.advance(12 * MINUTE_MS);
      await expectPaused(world, hook, true);
    }),
  },
  {
    id: 'rejecting.not-public',
    sentence: 'An endpoint that redirects to an address that is not public for an hour is paused',
    async run(world) {
      const headers = { location: 'https://10.0.0.1/' };
      const hook = await deliver(world, () => ({ status: 307, headers }));
      await world.driver.advance(HOUR_MS + 11 * MINUTE_MS);
      await expectPaused(world, hook, true);
    },
  },
  {
    id: 'failing',
    sentence: 'An endpoint that answers 500 or 503 is paused after 24 hours, and not before',
    ...forEach(namedBy(500, 503), async (world, status) => {
      const hook = await deliver(world, () => ({ status }));
      await world.driver.advance(DAY_MS - MINUTE_MS);
      await expectPaused(world, hook, false);
      // The first event expires after 24 hours, and only a failure after that pauses the endpoint.
      await verify(world);
      await world.driver.advance(12 * MINUTE_MS);
      await expectPaused(world, hook, true);
    }),
  },
  {
    id: 'failing.dns',
    sentence: 'An endpoint whose host cannot be found is not paused within a day',
    needs: ['createAccount'],
    settings: {},
    async run(world) {
      const { tenantId } = world.account;
      const url = 'https://receiver.invalid/hooks';
      const { id } = await world.driver.addEndpoint({ tenantId, url }).catch((error: unknown) => {
        throw error instanceof EndpointRefusal
          ? new CheckSkip('the service refuses an endpoint whose host cannot be found')
          : error;
      });
      await verify(world);
      await world.driver.advance(DAY_MS - HOUR_MS);
      await expectPaused(world, { id }, false);
    },
  },
  {
    id: 'rejecting.interrupted',
    sentence: 'A success restarts the hour of rejections after which an endpoint is paused',
    async run(world) {
      let isDown = true;
      const hook = await deliver(world, () => ({ status: isDown ? 410 : 204 }));
      await world.driver.advance(40 * MINUTE_MS);
      isDown = false;
      await world.driver.advance(10 * MINUTE_MS);
      isDown = true;
      await verify(world);
      await world.driver.advance(40 * MINUTE_MS);
      await expectPaused(world, hook, false);
    },
  },
];

const PAUSED: readonly CheckRow[] = [
  {
    id: 'no-events',
    section: 'Events',
    sentence: 'A paused endpoint receives no events',
    async run(world) {
      const hook = await pause(world);
      await verify(world);
      const requests = await countDuring(world, hook, HOUR_MS);
      ensure(requests === 0, 'no request during the pause', `${requests}`);
    },
  },
  {
    id: 'recorded',
    section: 'Events',
    sentence: 'New events of a paused endpoint are recorded as not delivered',
    async run(world) {
      const hook = await pause(world);
      const before = (await world.driver.endpointHealth(hook.id)).undelivered;
      await verify(world);
      await world.driver.advance(0);
      const after = (await world.driver.endpointHealth(hook.id)).undelivered;
      ensure(after === before + 1, `${before + 1} undelivered events`, `${after}`);
    },
  },
  {
    id: 'test-does-not-resume',
    section: 'Events',
    level: 'reading',
    needs: ['testEndpoint'],
    sentence: 'A successful test event alone does not end a pause',
    async run(world) {
      const hook = await pause(world);
      hook.respond(() => ({ status: 204 }));
      const isAccepted = await world.driver.testEndpoint(hook.id);
      ensure(isAccepted, 'an accepted test event', 'a refused test event');
      await expectPaused(world, hook, true);
    },
  },
  {
    id: 'other-endpoint',
    section: 'Events',
    sentence: 'The pause of an endpoint does not affect other endpoints',
    async run(world) {
      await pause(world);
      const other = await world.hook({ events: ['verification.completed'] });
      await verify(world);
      await other.waitFor(1);
    },
  },
];

const RESUMED: readonly CheckRow[] = [
  {
    id: 'resume.test-fails',
    sentence: 'A pause does not end if the test event is refused',
    async run(world) {
      const hook = await pause(world);
      const isResumed = await world.driver.resumeEndpoint(hook.id);
      ensure(!isResumed, 'an endpoint that is still paused', 'a resumed endpoint');
      await expectPaused(world, hook, true);
    },
  },
  {
    id: 'resume.test-succeeds',
    sentence: 'A pause ends when a signed test event is accepted',
    async run(world) {
      const hook = await pause(world);
      hook.respond(() => ({ status: 204 }));
      const before = hook.received().length;
      const isResumed = await world.driver.resumeEndpoint(hook.id);
      ensure(isResumed, 'a resumed endpoint', 'an endpoint that is still paused');
      await expectPaused(world, hook, false);
      const [test, ...rest] = (await hook.quiet()).slice(before);
      const isTest = test?.body.test === true && rest.length === 0;
      ensure(
        isTest,
        'one event with "test": true',
        describeWebhooks(hook.received().slice(before)),
      );
      if (hook.secret !== null && test) await expectSignature(test, hook.secret);
    },
  },
  {
    id: 'resume.no-past-events',
    sentence: 'Past events are not sent when a pause ends',
    async run(world) {
      const hook = await pause(world);
      await verify(world);
      hook.respond(() => ({ status: 204 }));
      await world.driver.resumeEndpoint(hook.id);
      await world.driver.advance(DAY_MS);
      const real = (await hook.quiet()).filter(({ body }) => body.test !== true);
      const sessions = new Set(real.map(({ body }) => body.data?.['sessionId']));
      ensure(
        sessions.size === 1,
        'no webhook about the session that ended during the pause',
        describeWebhooks(real),
      );
    },
  },
  {
    id: 'resume.new-events',
    sentence: 'After a pause, new events are sent immediately',
    async run(world) {
      const hook = await pause(world);
      hook.respond(() => ({ status: 204 }));
      await world.driver.resumeEndpoint(hook.id);
      const before = await count(hook);
      await verify(world);
      await hook.waitFor(before + 1);
    },
  },
];

const HEALTH: readonly CheckRow[] = [
  {
    id: 'health.last-success',
    section: 'Webhook endpoint',
    kind: 'safe',
    needs: ['now'],
    sentence: 'The health of an endpoint contains the time of the last successful delivery',
    async run(world) {
      const hook = await world.hook({ events: ['verification.completed'] });
      const before = (await world.driver.endpointHealth(hook.id)).lastSuccessAt;
      ensure(before === null, 'no success yet', String(before));
      await verify(world);
      await hook.waitFor(1);
      const { lastSuccessAt } = await world.driver.endpointHealth(hook.id);
      const matcher = world.at(await world.now());
      ensure(matcher.matches(lastSuccessAt), matcher.description, String(lastSuccessAt));
    },
  },
  {
    id: 'health.undelivered',
    section: 'Webhook endpoint',
    sentence: 'The health of an endpoint counts the events that were not delivered',
    async run(world) {
      const hook = await pause(world);
      const { undelivered } = await world.driver.endpointHealth(hook.id);
      ensure(undelivered === 1, '1 undelivered event', `${undelivered}`);
    },
  },
  {
    id: 'health.redelivered',
    section: 'Webhook endpoint',
    needs: ['resumeEndpoint', 'redeliver'],
    sentence: 'A redelivered event no longer counts as undelivered',
    async run(world) {
      const hook = await pause(world);
      hook.respond(() => ({ status: 204 }));
      await world.driver.resumeEndpoint(hook.id);
      await world.driver.redeliver(hook.id);
      await world.driver.advance(0);
      const { undelivered } = await world.driver.endpointHealth(hook.id);
      ensure(undelivered === 0, 'no undelivered event', `${undelivered}`);
    },
  },
];

const GROUP = {
  prefix: 'webhooks.pause',
  needs: ['addEndpoint', 'removeEndpoint', 'settle', 'advance', 'endpointHealth'],
  kind: 'slow',
} as const;

/** Checks of automatic pauses and their end. */
export const PAUSE_CHECKS: readonly Check[] = [
  ...defineChecks({ ...GROUP, section: 'Limits' }, [...AUTOMATIC, ...PAUSED, ...HEALTH]),
  ...defineChecks(
    { ...GROUP, section: 'Events', needs: [...GROUP.needs, 'resumeEndpoint'] },
    RESUMED,
  ),
];
