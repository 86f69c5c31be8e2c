import { beforeEach, expect, it, vi } from 'vitest';
import { begin, FakeChannel, newOfAge, SESSION_ID, useWorld, watch, world } from './world.ts';

useWorld();
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

type Ofage = ReturnType<typeof newOfAge>;

/** Every way in which an attempt can end. None may leave a listener, timer, channel or window. */
const ENDINGS: Array<[string, object, (ofAge: Ofage) => unknown]> = [
  ['verified', {}, () => world.message({ status: 'verified' })],
  ['failed', {}, () => world.message({ status: 'failed' })],
  ['cancelled with the button', {}, () => world.message({ status: 'cancelled' })],
  ['closed', {}, () => (world.popup().closeByHand(), world.emit('focus'), world.elapse(2000))],
  [
    'a severed window with a relayed result',
    {},
    async () => {
      world.popup().closed = true;
      await world.elapse(20_000);
      world.relay({ status: 'verified' });
    },
  ],
  ['expired', {}, () => world.elapse(606_000)],
  ['destroyed', {}, (ofAge) => ofAge.destroy()],
  ['redirect and Back', { mode: 'redirect' }, () => world.emit('pageshow', { persisted: true })],
  ['a redirect that failed', { mode: 'redirect' }, () => world.elapse(61_000)],
];

it.each(ENDINGS)(
  'an attempt leaves no listener, timer, channel or window after: %s',
  async (_, options, end) => {
    const ofAge = newOfAge(options);
    const seen = watch(ofAge.verify());
    await world.elapse(0);
    expect(world.listeners.length).toBeGreaterThan(0);
    await end(ofAge);
    await world.elapse(0);
    expect(seen.state).not.toBe('pending');
    expect(world.listeners).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(FakeChannel.open.size).toBe(0);
    for (const popup of world.popups) expect(popup.closed).toBe(true);
  },
);

it.each([
  ['HTTP 500', { status: 500, body: {} }],
  ['no network', new TypeError('Failed to fetch')],
  [
    'a billing block',
    { body: { sessionId: SESSION_ID, billingBlock: { code: 'PLAN_LIMIT_REACHED', message: 'm' } } },
  ],
  ['an invalid response', { body: 'hello' }],
])('an attempt leaves no listener, timer, channel or window after: %s', async (_, answer) => {
  world.answer(answer);
  const ofAge = newOfAge();
  await world.elapse(10_000);
  const seen = watch(ofAge.verify());
  await world.elapse(0);
  expect(seen.state).toBe('rejected');
  expect(world.listeners).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
  expect(FakeChannel.open.size).toBe(0);
  expect(world.popup().closed).toBe(true);
});

it('an attempt runs the other cleanups when closing the window throws', async () => {
  const seen = await begin();
  world.popup().close = () => {
    throw new DOMException('no', 'SecurityError');
  };
  world.message({ status: 'verified' });
  await world.elapse(20_000);
  expect(seen.state).toBe('resolved');
  expect(world.listeners).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
