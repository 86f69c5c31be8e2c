import type { KeptWebhook } from '../server/plan.ts';
import { toCount } from '../../shared/to-count.ts';
import { SIGNATURE_HEADER } from '../../shared/explainer/explain.ts';
import { signatureOf, toBytes } from '../webhook/behaviours.ts';
import type { Attack } from './attack.ts';
import { askAccess, toReport } from './attack-steps.ts';
import type { Exchange } from './exchange.ts';
import type { World } from './world.ts';

export const replayedWebhook: Attack = {
  id: 'replayed-webhook',
  title: 'Replayed webhook',
  story:
    'Mallory found a webhook with its signature in a log and posts it again. Each webhook is worth a voucher.',
  why: 'The signature is valid, so it does not help here. The shop stores each eventId that it has processed, and accepts the second copy without repeating the work.',
  code: {
    shop: { file: 'webhooks.ts', from: 'async claim(', to: 'return claim' },
    careless: {
      file: 'careless-shop.ts',
      from: 'Mistake: runs for every delivery',
      to: '}));',
    },
  },
  async run(world) {
    const { sessionId } = await world.check(world.mallory, 'verified');
    const webhook = await world.captured(sessionId);
    const replayed = await post(world, 'Mallory posts it again', 'webhooks/ofage', webhook);
    const delivered = await post(world, 'The delivery', 'careless/webhooks', webhook);
    const again = await post(world, 'Mallory posts it again', 'careless/webhooks', webhook);
    const access = await askAccess(world);
    const times = toList(access.answer, 'webhooks').filter(
      ({ eventId, duplicate }) => eventId === webhook.eventId && duplicate === false,
    ).length;
    const careless = await askAccess(world, 'careless/');
    const { vouchers } = Object(careless.answer) as { vouchers: number };
    return {
      shop: {
        isIn: times > 1,
        outcome: `The event counted ${times === 1 ? 'once' : `${times} times`}.`,
        exchanges: [replayed, access],
      },
      careless: {
        isIn: vouchers > 1,
        outcome: `Mallory has ${toCount(vouchers, 'voucher')} for one check.`,
        exchanges: [delivered, again, careless],
      },
    };
  },
};

export const tamperedWebhook: Attack = {
  id: 'tampered-webhook',
  title: 'Tampered webhook',
  story:
    'Mallory takes the webhook of Anna, who passed, and replaces Anna’s customer ID with her own.',
  why: 'The signature covers the raw bytes. It no longer matches once a single byte has changed, and only the owner of the secret can create a new one.',
  code: {
    shop: {
      file: 'webhooks.ts',
      from: 'return createWebhookHandler({',
      to: 'store: toWebhookStore',
    },
    careless: {
      file: 'careless-shop.ts',
      from: 'const { event, eventId, data } = await c.req.json()',
      to: 'await letIn',
    },
  },
  async run(world) {
    const anna = await world.signIn();
    const { sessionId } = await world.check(anna, 'verified');
    const webhook = await world.captured(sessionId);
    const { text } = toBytes(webhook.bodyBase64);
    const forged = text.replaceAll(anna.customerId, world.mallory.customerId);
    const title = 'Mallory posts it, changed';
    const shop = [await post(world, title, 'webhooks/ofage', webhook, forged)];
    const careless = [await post(world, title, 'careless/webhooks', webhook, forged)];
    return toReport(world, { shop, careless });
  },
};

/**
 * Posts a webhook that Mallory has intercepted, with its original signature. `body` replaces the original
 * body.
 */
function post(
  world: World,
  title: string,
  path: string,
  webhook: KeptWebhook,
  body = toBytes(webhook.bodyBase64).text,
): Promise<Exchange> {
  const headers = { [SIGNATURE_HEADER]: signatureOf(webhook) ?? '' };
  return world.shop(title, path, { headers, body });
}

function toList(answer: unknown, field: string): Record<string, unknown>[] {
  const value: unknown = (Object(answer) as Record<string, unknown>)[field];
  return Array.isArray(value) ? value.map((item) => Object(item) as Record<string, unknown>) : [];
}
