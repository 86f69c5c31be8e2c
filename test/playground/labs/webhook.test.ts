import { afterEach, describe, expect, it } from 'vitest';
import type { Receiver } from '../../../playground/labs/shop-lab.ts';
import { type WebhookLab, createWebhookLab } from '../../../playground/labs/webhook/webhook-lab.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { openLab } from './a-lab.ts';
import { waitFor } from '../../support/wait-for.ts';

describe('the webhook lab while settings of its receiver are being saved', () => {
  const labs: WebhookLab[] = [];
  afterEach(() => {
    for (const lab of labs.splice(0)) lab.close();
  });

  /** Opens the lab with a real receiver and service. Settings reach the receiver only after `open()`. */
  async function openSlowLab() {
    const { shop, service } = await openLab();
    const asked: string[] = [];
    const held: (() => void)[] = [];
    let isHolding = false;
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const toReceiver = async (response: Promise<Response>): Promise<Receiver> =>
      (await (await response).json()) as Receiver;
    const lab = createWebhookLab(
      createProvider({
        apiOrigin: service.apiOrigin,
        fetch(request) {
          const { pathname } = new URL(request.url);
          if (request.method !== 'GET') asked.push(pathname.replace('/control/v1', ''));
          return service.fetch(request);
        },
      }),
      {
        async receiver() {
          const seen = await toReceiver(shop('lab/receiver/state'));
          if (isHolding) await new Promise<void>((letGo) => held.push(letGo));
          return seen;
        },
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
    labs.push(lab);
    await lab.refresh();
    return {
      lab,
      open,
      asked,
      receiver: () => toReceiver(shop('lab/receiver/state')),
      /**
       * Holds back the response to each later state request until its function in the returned list is
       * called.
       */
      holdResponses(): readonly (() => void)[] {
        isHolding = true;
        return held;
      },
      release(): void {
        isHolding = false;
        for (const letGo of held.splice(0)) letGo();
      },
    };
  }

  it('shows a choice at once and keeps two concurrent choices', async () => {
    const { lab, open, receiver } = await openSlowLab();
    const chosen = [lab.set({ behaviour: 'lost_answer' }), lab.set({ remembersEvents: false })];
    const expected = { behaviour: 'lost_answer', remembersEvents: false };
    expect(lab.receiver.value?.settings).toMatchObject(expected);
    const refresh = lab.refresh();
    open();
    await Promise.all([...chosen, refresh]);
    expect(lab.receiver.value?.settings).toMatchObject(expected);
    expect((await receiver()).settings).toMatchObject(expected);
  });

  it('ignores a stale state response from before a choice', async () => {
    const { lab, open, holdResponses, release, receiver } = await openSlowLab();
    open();
    const held = holdResponses();
    const early = lab.refresh();
    await waitFor(() => expect(held).toHaveLength(1));
    const first = lab.set({ behaviour: 'lost_answer' });
    await waitFor(async () => expect((await receiver()).settings.behaviour).toBe('lost_answer'));
    held[0]?.();
    await early;
    expect(lab.receiver.value?.settings.behaviour).toBe('lost_answer');
    const second = lab.set({ remembersEvents: false });
    await waitFor(() => expect(held).toHaveLength(2));
    release();
    await Promise.all([first, second]);
    const expected = { behaviour: 'lost_answer', remembersEvents: false };
    expect(lab.receiver.value?.settings).toMatchObject(expected);
    expect((await receiver()).settings).toMatchObject(expected);
  });
});
