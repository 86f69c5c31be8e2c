import type { EventKind } from '../driver.ts';
import type { WebhookAnswer } from '../inbox.ts';
import { ensure } from '../outcome.ts';
import type { Hook, HookOptions, World } from '../world.ts';
import { LIFETIME_MS } from './bodies.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The maximum delay between two attempts. */
export const CAP_MS = 10 * MINUTE_MS;

/** A secret that a check chooses for an endpoint. */
export const SECRET = 'whsec_chosen_by_the_kit_0123456789';

/** Creates a session and ends it as verified, and returns its id. */
export async function verify(world: World, fields: object = {}): Promise<string> {
  const session = await world.create(fields);
  await world.settle(session, 'verified');
  return session.sessionId;
}

type Event = Extract<EventKind, 'session.started' | 'verification.completed' | 'session.timeout'>;

/**
 * Causes one event of a new session, and waits for its first request. The endpoint receives only events of
 * this kind, and responds with `respond`. `n` counts its requests from 1.
 */
export async function deliver(
  world: World,
  respond: (n: number) => WebhookAnswer,
  { event = 'verification.completed', ...options }: { event?: Event } & HookOptions = {},
): Promise<Hook> {
  const hook = await world.hook({ events: [event], ...options });
  hook.respond(respond);
  await causeEvent(world, event);
  await hook.waitFor(1);
  return hook;
}

async function causeEvent(world: World, event: Event): Promise<void> {
  if (event === 'verification.completed') await verify(world);
  else await world.create();
  if (event === 'session.timeout') await world.driver.advance(LIFETIME_MS);
}

/** Returns a response with `status` to the first request, and 204 to all later ones. */
export const failOnce =
  (status = 500, headers: WebhookAnswer['headers'] = {}) =>
  (n: number): WebhookAnswer =>
    n === 1 ? { status, headers } : { status: 204 };

/** Returns the number of requests that have arrived. */
export async function count(hook: Pick<Hook, 'quiet'>): Promise<number> {
  return (await hook.quiet()).length;
}

/** Lets time pass, and returns the number of requests in that time. */
export async function countDuring(world: World, hook: Hook, ms: number): Promise<number> {
  const before = await count(hook);
  await world.driver.advance(ms);
  return (await count(hook)) - before;
}

export async function expectCount(
  hook: Pick<Hook, 'quiet'>,
  expected: number,
  when: string,
): Promise<void> {
  const actual = await count(hook);
  const requests = expected === 1 ? 'request' : 'requests';
  ensure(actual === expected, `${expected} ${requests} ${when}`, `${actual}`);
}
