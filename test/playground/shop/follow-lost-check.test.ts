// @vitest-environment jsdom
/** When a page without a result of the SDK asks the shop's server about the customer's latest check. */
import { expect, it, onTestFinished, vi } from 'vitest';
import type { AccessState, Decision, ReceivedWebhook } from '../../../playground/shop/api.ts';
import { followLostCheck } from '../../../playground/shop/follow-lost-check.ts';
import { type Shop, createShop } from '../../../playground/shop/state.ts';
import { ACCESS } from './an-access.ts';
import { integrate } from './integrate.ts';
import { waitFor } from '../../support/wait-for.ts';

const STARTED = '2026-11-21T08:00:00.000Z';
const MINUTE_MS = 60_000;
const LOST: AccessState = { ...ACCESS, access: false };
const REFUSED: Decision = { access: false, validation: null, problem: null };

/** Returns a decision whose check has this status. */
const decisionOf = (status: 'pending' | 'cancelled'): Decision => ({
  ...REFUSED,
  validation: { status } as Decision['validation'],
});

const aWebhook = (change: Partial<ReceivedWebhook> = {}): ReceivedWebhook => ({
  eventId: null,
  event: 'session.started',
  sessionId: 's1',
  happenedAt: STARTED,
  receivedAt: STARTED,
  duplicate: false,
  ...change,
});

/** Opens a page that follows the check, at a time after the start of the check. */
function open(afterMs: number | null = MINUTE_MS) {
  const asked: string[] = [];
  const answers: { resolve(decision: Decision): void; reject(error: Error): void }[] = [];
  const access = vi.fn(async () => ACCESS);
  const api = {
    access,
    verification(sessionId: string) {
      asked.push(sessionId);
      return new Promise<Decision>((resolve, reject) => answers.push({ resolve, reject }));
    },
  };
  const shop = createShop(api as Partial<Shop['api']> as Shop['api'], integrate);
  const stop = followLostCheck(shop, () =>
    afterMs === null ? null : Date.parse(STARTED) + afterMs,
  );
  onTestFinished(stop);
  /** Shows a new read of the customer's access, as the page gets it every few seconds. */
  const read = (change: Partial<AccessState> = {}): void => {
    shop.access.value = { ...LOST, ...change };
  };
  /** Answers the newest question. */
  const answer = async (decision: Decision): Promise<void> => {
    answers.at(-1)?.resolve(decision);
    await waitFor(() => expect(shop.decision.value).toBe(decision));
  };
  /** Answers the newest question and gives the page time to take the answer. */
  const tryToAnswer = async (decision: Decision): Promise<void> => {
    answers.at(-1)?.resolve(decision);
    for (let step = 0; step < 5; step += 1) await Promise.resolve();
  };
  return { shop, asked, answers, access, stop, read, answer, tryToAnswer };
}

it('asks once, and again after a failure and after each webhook about the check', async () => {
  const { asked, answers, read, answer } = open();
  read();
  read();
  expect(asked).toEqual(['s1']);

  answers[0]?.reject(new Error('The server cannot be reached'));
  await waitFor(() => {
    read();
    expect(asked).toHaveLength(2);
  });

  await answer(REFUSED);
  const webhooks = [aWebhook()];
  read({ webhooks });
  read({ webhooks: [aWebhook({ sessionId: 's0', receivedAt: 'later' }), ...webhooks] });
  expect(asked).toHaveLength(3);
  read({
    webhooks: [aWebhook({ event: 'verification.failed', receivedAt: 'later' }), ...webhooks],
  });
  expect(asked).toHaveLength(4);
  read({ latestSessionId: 's2' });
  expect(asked).toEqual(['s1', 's1', 's1', 's1', 's2']);
});

it.each<[why: string, afterMs: number | null, access: Partial<AccessState>, isAsked: boolean]>([
  ['has had no check', MINUTE_MS, { latestSessionId: null }, false],
  ['has access', MINUTE_MS, { access: true }, false],
  ['began a check at an unknown time of the service', null, {}, false],
  ['began a check just within its lifetime', 10 * MINUTE_MS - 1, { webhooks: [aWebhook()] }, true],
  ['began a check whose lifetime is over', 10 * MINUTE_MS, { webhooks: [aWebhook()] }, false],
  [
    'began a check after one whose lifetime is over',
    10 * MINUTE_MS,
    { webhooks: [aWebhook({ sessionId: 's0' })] },
    true,
  ],
  [
    'had a result long ago, but whose start is not known',
    10 * MINUTE_MS,
    { webhooks: [aWebhook({ event: 'verification.failed' })] },
    true,
  ],
])('a customer who %s', (_, afterMs, access, isAsked) => {
  const { asked, read } = open(afterMs);
  read(access);
  expect(asked).toEqual(isAsked ? ['s1'] : []);
});

it('does not ask while the page shows a result of its own', () => {
  const { shop, asked, read } = open();
  shop.hint.value = { status: 'waiting', detail: null, from: 'verify()' };
  read();
  expect(asked).toEqual([]);
  shop.hint.value = null;
  expect(asked).toEqual(['s1']);
});

it('reads the access when the server decides to give it', async () => {
  const { shop, access, read, answer } = open();
  read();
  await answer(REFUSED);
  expect(access).not.toHaveBeenCalled();
  read({ latestSessionId: 's2' });
  await answer({ ...REFUSED, access: true });
  await waitFor(() => expect(shop.access.value).toBe(ACCESS));
});

it('shows a cancellation only if the page has shown the check as open', async () => {
  const { shop, read, answer, tryToAnswer } = open();
  read();
  await tryToAnswer(decisionOf('cancelled'));
  read({ latestSessionId: 's2' });
  expect(shop.decision.value).toBeNull();
  await answer(decisionOf('pending'));
  read({ latestSessionId: 's2', webhooks: [aWebhook({ sessionId: 's2' })] });
  await answer(decisionOf('cancelled'));
});

it.each<[why: string, change: (shop: Shop) => void]>([
  [
    'has started a new check',
    ({ hint }) => {
      hint.value = { status: 'waiting', detail: null, from: 'verify()' };
    },
  ],
  [
    'is another one',
    ({ customerNo }) => {
      customerNo.value += 1;
    },
  ],
])('drops the response if the customer %s meanwhile', async (_, change) => {
  const { shop, access, read, tryToAnswer } = open();
  read();
  change(shop);
  await tryToAnswer({ ...REFUSED, access: true });
  expect(shop.decision.value).toBeNull();
  expect(access).not.toHaveBeenCalled();
});

it.each([
  ['leaving', true, null],
  ['leaving', false, 'leaving'],
  ['waiting', true, 'waiting'],
] as const)(
  'a page that was %s and is shown again, from memory: %s, then is: %s',
  (status, persisted, shown) => {
    const { shop } = open();
    shop.hint.value = { status, detail: null, from: "the shop's server" };
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }));
    expect(shop.hint.value?.status ?? null).toBe(shown);
  },
);

it('does nothing after it was stopped', () => {
  const { shop, asked, stop, read } = open();
  stop();
  read();
  shop.hint.value = { status: 'leaving', detail: null, from: "the shop's server" };
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  expect(asked).toEqual([]);
  expect(shop.hint.value).not.toBeNull();
});
