import { describe, expect, it, vi } from 'vitest';
import type { EndpointResource } from 'ofage/mock';
import { createControlClient } from 'ofage/mock/client';
import { NEW_WALK, toWalk } from '../../../playground/labs/webhook/pause-walk.ts';
import { BEHAVIOUR_TEXTS, toBytes } from '../../../playground/labs/webhook/behaviours.ts';
import {
  BEHAVIOURS,
  NEW_RECEIVER,
  type Behaviour,
  type Fresh,
  keepRequest,
  planAnswer,
} from '../../../playground/merchant-backend/lab-plan.ts';
import type { Receiver } from '../../../playground/labs/shop-lab.ts';
import { createWebhookLab } from '../../../playground/labs/webhook/webhook-lab.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { openLab } from './a-lab.ts';

it('every behaviour has its words', () => {
  expect(Object.keys(BEHAVIOUR_TEXTS).toSorted()).toEqual([...BEHAVIOURS].toSorted());
});

describe('toBytes()', () => {
  it('shows each byte, so that a line break or a foreign letter can be seen', () => {
    const { text, hex, length } = toBytes(btoa('{"a": "\xc3\xa9"}\r\n'));
    expect(text).toBe('{"a": "é"}\r\n');
    expect(length).toBe(13);
    expect(hex).toBe('0000  7b 22 61 22 3a 20 22 c3 a9 22 7d 0d 0a           {"a": ".."}..');
  });

  it('copes with nothing', () => {
    expect(toBytes('')).toEqual({ text: '', hex: '', length: 0 });
  });
});

describe('the walk to a pause and back', () => {
  const fresh: Fresh = {
    receivedAt: '2026-01-01T00:00:00.000Z',
    headers: [],
    bodyBase64: '',
    event: 'verification.completed',
    eventId: 'e1',
    sessionId: 's1',
    signature: 'valid',
    isTest: false,
  };
  const doing = (behaviour: Behaviour) => ({
    ...NEW_RECEIVER,
    settings: { ...NEW_RECEIVER.settings, behaviour },
  });
  const got = (state: ReturnType<typeof doing>) =>
    keepRequest(state, fresh, planAnswer(state, fresh));
  const anEndpoint = async (): Promise<EndpointResource> => {
    const { client, demo } = await openLab();
    const [endpoint] = await client.endpoints(demo.tenantId);
    return endpoint!;
  };
  const next = (...args: Parameters<typeof toWalk>): string | undefined =>
    toWalk(...args).find(({ isDone }) => !isDone)?.id;

  it('goes step by step', async () => {
    const endpoint = await anEndpoint();
    const refused = got(doing('unauthorized'));
    const paused = { ...NEW_WALK, wasPaused: true };
    const resumed = { ...paused, wasResumed: true };
    expect(next(null, NEW_RECEIVER, NEW_WALK)).toBe('add');
    expect(next(endpoint, NEW_RECEIVER, NEW_WALK)).toBe('refuse');
    expect(next(endpoint, doing('unauthorized'), NEW_WALK)).toBe('trigger');
    expect(next(endpoint, refused, NEW_WALK)).toBe('hour');
    expect(next(endpoint, refused, paused)).toBe('mend');
    expect(next(endpoint, doing('ok'), paused)).toBe('resume');
    expect(next(endpoint, doing('ok'), resumed)).toBe('redeliver');
    expect(next(endpoint, doing('ok'), { ...resumed, wasRedelivered: true })).toBeUndefined();
  });
});

describe('settings of the receiver, while they are on their way', () => {
  /** The lab over a real receiver and service; what is sent to the receiver waits until `open` is called. */
  async function openSlowLab() {
    const { shop, ask, service } = await openLab();
    const asked: string[] = [];
    const held: (() => void)[] = [];
    let isHolding = false;
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const toReceiver = async (response: Promise<Response>): Promise<Receiver> =>
      (await (await response).json()) as Receiver;
    const lab = createWebhookLab(
      {
        fetch: (path, init) => ask(path, init),
        client: createControlClient({
          baseUrl: service.apiOrigin,
          fetch: (url, init) => service.fetch(new Request(url, init)),
          async around({ name, isChange }, send) {
            if (isChange) asked.push(name);
            if (isHolding && name === 'tenants') {
              await new Promise<void>((letGo) => held.push(letGo));
            }
            return send();
          },
        }),
        live: createProvider(service).live,
        subscribe: () => () => {},
      },
      {
        receiver: () => toReceiver(shop('lab/receiver/state')),
        async setReceiver(settings) {
          await gate;
          return toReceiver(
            shop('lab/receiver/settings', {
              method: 'PUT',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(settings),
            }),
          );
        },
        forgetRequests: async () =>
          void (await shop('lab/receiver/requests', { method: 'DELETE' })),
        publishableKey: async () => '',
      },
    );
    await lab.refresh();
    return {
      lab,
      open,
      asked,
      receiver: () => toReceiver(shop('lab/receiver/state')),
      /** From now on each look waits, once it has seen the receiver, until its turn here is called. */
      hold(): readonly (() => void)[] {
        isHolding = true;
        return held;
      },
    };
  }

  it('what was chosen stays chosen, and two choices at once are both kept', async () => {
    const { lab, open, receiver } = await openSlowLab();
    const chosen = [lab.set({ behaviour: 'lost_answer' }), lab.set({ remembersEvents: false })];
    const expected = { behaviour: 'lost_answer', remembersEvents: false };
    expect(lab.receiver.value?.settings).toMatchObject(expected);
    const look = lab.refresh();
    open();
    await Promise.all([...chosen, look]);
    expect(lab.receiver.value?.settings).toMatchObject(expected);
    expect((await receiver()).settings).toMatchObject(expected);
  });

  it('a look from before a choice does not take it back', async () => {
    const { lab, open, hold, receiver } = await openSlowLab();
    open();
    const held = hold();
    const early = lab.refresh();
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const first = lab.set({ behaviour: 'lost_answer' });
    await vi.waitFor(() => expect(held).toHaveLength(2));
    held[0]?.();
    await early;
    expect(lab.receiver.value?.settings.behaviour).toBe('lost_answer');
    const second = lab.set({ remembersEvents: false });
    await vi.waitFor(() => expect(held).toHaveLength(3));
    for (const letGo of held) letGo();
    await Promise.all([first, second]);
    const expected = { behaviour: 'lost_answer', remembersEvents: false };
    expect((await receiver()).settings).toMatchObject(expected);
  });

  it('an event waits for them', async () => {
    const { lab, open, asked } = await openSlowLab();
    const work = [lab.set({ behaviour: 'gone' }), lab.trigger('verified')];
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked).toEqual([]);
    open();
    await Promise.all(work);
    expect(asked).toEqual(['trigger']);
  });

  it('what was refused is not shown as chosen', async () => {
    const { lab, open } = await openSlowLab();
    const refused = lab.set({ seconds: -1 });
    open();
    await refused;
    expect(lab.receiver.value?.settings.seconds).toBeGreaterThan(0);
  });
});
