import type { WebhookResult } from 'ofage-mock';
import { describe, expect, it } from 'vitest';
import { answered, HOOK, NEW_YEAR, openMock, type Mock } from '../../support/a-mock.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createSharedMemory, createSharedMemoryLog } from '../../support/shared-memory-log.ts';
import { waitFor } from '../../support/wait-for.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A computer whose clock can be set back by an hour, while its timers run on. */
function createComputer() {
  const manual = createManualClock();
  let backMs = 0;
  return {
    realClock: {
      now: () => manual.now() - backMs,
      wakeAt: (atMs: number, wake: () => void) => manual.wakeAt(atMs + backMs, wake),
    },
    setBack: () => (backMs = HOUR),
    pass: manual.pass,
  };
}

type Computer = ReturnType<typeof createComputer>;

/** Creates a function that opens services on one state. Their receiver gives one answer after another. */
function createOpen({ realClock }: Computer, answers: readonly (WebhookResult | null)[]) {
  const shared = createSharedMemory();
  let asked = 0;
  return ({ isShared, isDead = () => false }: { isShared: boolean; isDead?: () => boolean }) =>
    openMock({
      realClock: {
        now: realClock.now,
        wakeAt: (atMs, wake) => realClock.wakeAt(atMs, () => (isDead() ? undefined : wake())),
      },
      clock: { now: NEW_YEAR },
      log: { ...createSharedMemoryLog(shared), isShared },
      endpoints: [
        { url: HOOK, secret: null, events: ['verification.completed', 'session.timeout'] },
      ],
      answer() {
        const answer = asked < answers.length ? answers[asked] : answered(204);
        asked += 1;
        return answer ?? new Promise(() => {});
      },
    });
}

/** Lets the time pass, and then waits for work that needs no time, such as hashing in another thread. */
async function passUntil(computer: Computer, ms: number, check: () => Promise<void>) {
  await computer.pass(ms);
  await waitFor(async () => {
    await computer.pass(1);
    await check();
  });
}

/** Completes a session, and waits for the request that sends its event. */
async function send(mock: Mock, computer: Computer): Promise<void> {
  await mock.control.trigger({ name: 'verified' });
  const count = mock.sent.length + 1;
  await passUntil(computer, 1, async () => expect(mock.sent).toHaveLength(count));
}

const isDelivered = async ({ control }: Mock): Promise<void> => {
  for (const { status } of await control.deliveries()) expect(status).toBe('delivered');
};

interface Wait {
  /** The first answers of the receiver. Null never comes. It then accepts everything. */
  readonly answers?: readonly (WebhookResult | null)[];
  /** Starts the wait. */
  begin(mock: Mock, computer: Computer): Promise<unknown>;
  /** The time within which it is over, from the moment at which the clock was set back. */
  readonly withinMs: number;
  /** Fails while the wait lasts. */
  check(mock: Mock): Promise<void>;
}

const WAITS: Readonly<Record<string, Wait>> = {
  'the window of a rate limit': {
    async begin({ control, tenantId, create }) {
      await control.updateTenant(tenantId, { rateLimits: { create: 1, validate: 1 } });
      await create();
    },
    withinMs: MINUTE,
    async check({ create }) {
      expect(await create()).toMatchObject({ sessionId: expect.any(String) });
    },
  },
  'the retry of an event': {
    answers: [answered(500)],
    begin: send,
    withinMs: 10 * SECOND,
    check: isDelivered,
  },
  'the wait of a failing endpoint': {
    answers: Array.from({ length: 6 }, () => answered(500)),
    async begin(mock, computer) {
      for (let n = 0; n < 5; n += 1) await send(mock, computer);
      await computer.pass(2 * SECOND);
      await mock.control.trigger({ name: 'verified' });
    },
    withinMs: 2 * MINUTE,
    check: isDelivered,
  },
  'the time that a receiver has asked for': {
    answers: [answered(429, '60')],
    begin: send,
    withinMs: 2 * MINUTE,
    check: isDelivered,
  },
  'the grace period of a closed page': {
    async begin({ create, hosted }) {
      const { sessionToken } = await create();
      await hosted('session', sessionToken);
      await hosted('leave', sessionToken);
    },
    withinMs: 10 * SECOND,
    async check({ control }) {
      expect(await control.sessions()).toMatchObject([{ status: 'cancelled' }]);
    },
  },
};

describe.each(['runs', 'is started again'])(
  'when the clock is set back while the service %s',
  (how) => {
    it.each(Object.entries(WAITS))(
      '%s does not last longer',
      async (_what, { answers = [], begin, withinMs, check }) => {
        const computer = createComputer();
        const open = createOpen(computer, answers);
        let mock = await open({ isShared: false });
        await begin(mock, computer);
        if (how === 'is started again') await mock.service.close();
        computer.setBack();
        if (how === 'is started again') mock = await open({ isShared: false });
        await passUntil(computer, withinMs, () => check(mock));
        await mock.service.close();
      },
    );
  },
);

/** What a process leaves behind that dies. */
const LEFT: Readonly<Record<string, Wait>> = {
  'a request in flight': {
    answers: [null],
    begin: send,
    withinMs: MINUTE,
    check: isDelivered,
  },
  'a test of an endpoint': {
    answers: [null],
    async begin({ control, tenantId, sent }) {
      const [endpoint] = await control.endpoints(tenantId);
      void control.testEndpoint(endpoint?.id ?? '');
      await waitFor(() => expect(sent).toHaveLength(1));
    },
    withinMs: MINUTE,
    async check({ control, tenantId }) {
      const [endpoint] = await control.endpoints(tenantId);
      expect(await control.testEndpoint(endpoint?.id ?? '')).toMatchObject({ success: true });
    },
  },
  'a clock move': {
    answers: [null],
    async begin(mock) {
      await mock.control.trigger({ name: 'never' });
      void mock.clock.advance(10 * MINUTE);
      await waitFor(() => expect(mock.sent).toHaveLength(1));
    },
    withinMs: 2 * MINUTE,
    check: isDelivered,
  },
};

describe.each(['runs', 'is started'])(
  'when the clock is set back while another service %s',
  (how) => {
    it.each(Object.entries(LEFT))(
      '%s of a dead process does not last longer',
      async (_what, { answers = [], begin, withinMs, check }) => {
        const computer = createComputer();
        const open = createOpen(computer, answers);
        let isDead = false;
        const dead = await open({ isShared: true, isDead: () => isDead });
        const early = how === 'runs' ? await open({ isShared: true }) : null;
        await begin(dead, computer);
        isDead = true;
        computer.setBack();
        const heir = early ?? (await open({ isShared: true }));
        await passUntil(computer, withinMs, () => check(heir));
      },
    );
  },
);

it('a clock move that waits for a receiver does not last longer when the clock is set back', async () => {
  const computer = createComputer();
  const mock = await createOpen(computer, [null])({ isShared: false });
  await send(mock, computer);
  let isOver = false;
  const moving = mock.clock.advance(SECOND).then(() => (isOver = true));
  await computer.pass(SECOND);
  computer.setBack();
  await passUntil(computer, 5 * SECOND, async () => expect(isOver).toBe(true));
  await moving;
  await mock.service.close();
});
