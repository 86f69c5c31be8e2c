import * as fc from 'fast-check';
import { type WebhookStore, createMemoryWebhookStore, createWebhookHandler } from 'ofage/server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventBody } from './builders.ts';
import { SECRET, sign } from './signed-request.ts';

const LEASE_MS = 1000;

/** One request: a copy of an event, and the result of `onEvent` if the handler calls it. */
interface Copy {
  readonly event: number;
  readonly fate: 'succeeds' | 'throws' | 'crashes';
}

const copies = fc.array(
  fc.record<Copy>({
    event: fc.nat(2),
    fate: fc.constantFrom('succeeds', 'throws', 'throws', 'crashes'),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Several servers with one shared store, and the observations that the properties check. */
interface World {
  /** Resolves with the response status. Never resolves if the server crashes. */
  send(copy: Copy): Promise<number>;
  /** Returns the number of requests that have neither a response nor a crash. */
  unsettled(): number;
  readonly successes: Map<number, number>;
  readonly overlaps: number[];
  readonly falseAcknowledgements: number[];
}

/**
 * Creates a world in which `pause` delays each step of the store and `onEvent`, so that any interleaving is
 * possible.
 */
function createWorld(pause: (what: string) => Promise<unknown>): World {
  const shared = createMemoryWebhookStore();
  const store: WebhookStore = {
    async claim(...parameters) {
      await pause('before claim');
      const claim = await shared.claim(...parameters);
      await pause('after claim');
      return claim;
    },
    async complete(key) {
      await pause('before complete');
      await shared.complete(key);
      await pause('after complete');
    },
    async release(key, token) {
      await pause('before release');
      await shared.release(key, token);
      await pause('after release');
    },
  };
  const successes = new Map<number, number>();
  const running = new Map<number, number>();
  const overlaps: number[] = [];
  const falseAcknowledgements: number[] = [];
  let unsettled = 0;

  async function send({ event, fate }: Copy): Promise<number> {
    const webhooks = createWebhookHandler({
      secret: SECRET,
      store,
      leaseMs: LEASE_MS,
      onProblem: () => {},
      async onEvent(): Promise<void> {
        const others = running.get(event) ?? 0;
        if (others > 0) overlaps.push(event);
        running.set(event, others + 1);
        await pause('in onEvent');
        // A crash sends no response and releases no claim.
        if (fate === 'crashes') {
          unsettled -= 1;
          return new Promise<void>(() => {});
        }
        running.set(event, (running.get(event) ?? 0) - 1);
        if (fate === 'throws') throw new Error('as asked');
        successes.set(event, (successes.get(event) ?? 0) + 1);
      },
    });
    const body = JSON.stringify(eventBody({ eventId: `e-${event}` }));
    const headers = { 'x-ofage-signature': sign(body) };
    unsettled += 1;
    const { status } = await webhooks.handle({ method: 'POST', headers, body });
    unsettled -= 1;
    if (status === 204 && !successes.has(event)) falseAcknowledgements.push(event);
    return status;
  }
  return { send, unsettled: () => unsettled, successes, overlaps, falseAcknowledgements };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('createWebhookHandler() on several servers with one store (property)', () => {
  it('for any interleaving of copies, never handles an event concurrently or twice, and never acknowledges an unhandled event', async () => {
    await fc.assert(
      fc.asyncProperty(copies, fc.scheduler(), async (list, scheduler) => {
        const world = createWorld((what) => scheduler.schedule(Promise.resolve(), what));
        const statuses: number[] = [];
        for (const copy of list) void world.send(copy).then((status) => statuses.push(status));
        await settle(scheduler, world);
        expect(world.overlaps).toEqual([]);
        expect(world.falseAcknowledgements).toEqual([]);
        for (const count of world.successes.values()) expect(count).toBe(1);
        expect(statuses.filter((status) => ![204, 500, 503].includes(status))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('for any interleaving of copies, loses no event: after the leases expire, the next copy is handled', async () => {
    await fc.assert(
      fc.asyncProperty(copies, fc.scheduler(), async (list, scheduler) => {
        const world = createWorld((what) => scheduler.schedule(Promise.resolve(), what));
        for (const copy of list) void world.send(copy);
        await settle(scheduler, world);
        await vi.advanceTimersByTimeAsync(LEASE_MS);
        for (const event of new Set(list.map((copy) => copy.event))) {
          const last = world.send({ event, fate: 'succeeds' });
          await settle(scheduler, world);
          expect(await last).toBe(204);
          expect(world.successes.get(event)).toBe(1);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Runs all requests to their end, in the order that the scheduler picks. */
async function settle(scheduler: fc.Scheduler, world: World): Promise<void> {
  while (world.unsettled() > 0) {
    if (scheduler.count() > 0) await scheduler.waitOne();
    // Checking a signature needs the real event loop, which the scheduler does not control.
    else await new Promise((resolve) => setImmediate(resolve));
  }
}
