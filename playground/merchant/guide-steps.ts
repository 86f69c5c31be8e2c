import type { EndpointResource, SessionResource } from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';
import { SESSION_LIFETIME_MS } from '../shared/session-lifetime.ts';
import { toCount } from '../shared/to-count.ts';
import { findEndpoint, findTenantId } from './account.ts';
import { changeQuantity, countOf } from './basket.ts';
import { PRODUCTS } from './products.ts';
import { type Shop, becomeNewCustomer } from './shop.ts';
import { type TaskId, findTask } from './tasks.ts';

/** The dependencies of the guide's steps. */
export interface GuideParts {
  readonly shop: Shop;
  readonly client: ControlClient;
  /** Shows the result or error of a task. */
  report(task: TaskId, text: string): void;
  /** Remembers a session that the guide created without the shopper. */
  noteTriggered(sessionId: string): void;
  /** Makes the shop's server reject or accept webhooks. */
  setRefusing(refuses: boolean): Promise<void>;
}

/**
 * The time during which webhooks are rejected. The service pauses an endpoint at the first retry after one
 * hour of rejections, and retries are at most ten minutes apart.
 */
const REFUSING_MS = 75 * 60_000;

/** Prepares the task's check: the outcome if it has one, a new customer and a basket that is not empty. */
export async function prepareCheck(parts: GuideParts, id: TaskId): Promise<void> {
  const { shop, report } = parts;
  const { nextOutcome } = findTask(id);
  await setNextOutcome(parts, nextOutcome);
  // A new customer has neither access nor earlier checks that count against a limit.
  await becomeNewCustomer(shop);
  const [first] = PRODUCTS;
  if (first && countOf(shop.basket.value) === 0) {
    shop.basket.value = changeQuantity(shop.basket.value, first.sku, 1);
  }
  if (id === 'expired' && ['redirect', 'server'].includes(shop.options.value.mode)) {
    // The page must stay open, because it moves the clock.
    shop.options.value = { ...shop.options.value, mode: 'popup' };
  }
  report(id, 'You are a new customer now. Continue at the age gate.');
}

/**
 * Returns the check whose page is open on a device. The clock is moved only then, so that the shopper sees
 * the countdown end.
 */
export function findOpenCheck(sessions: readonly SessionResource[]): SessionResource | undefined {
  return sessions.find(({ status, openDevices }) => status === 'pending' && openDevices.length > 0);
}

/** Moves the clock past the deadline of the check. */
export async function letTimePass({ client, report }: GuideParts): Promise<void> {
  await client.clock.advance(SESSION_LIFETIME_MS);
  report('expired', 'Ten minutes have passed. See what the check and the shop show now.');
}

/**
 * Makes the shop reject webhooks, triggers an event, and moves the clock so far that the service pauses the
 * endpoint.
 */
export async function refuseForAnHour(parts: GuideParts): Promise<void> {
  const { shop, client, report, noteTriggered, setRefusing } = parts;
  const { id: endpointId, tenantId, health: before } = await readEndpoint(parts);
  if (before.state === 'paused') {
    // The endpoint is already paused, for example by another visitor, so the shop would get nothing to
    // reject.
    await setRefusing(false);
    await client.resumeEndpoint(endpointId);
  }
  await setRefusing(true);
  const { customerId: externalUserId } = await shop.api.access();
  const { id } = await client.trigger({ name: 'cancelled', tenantId, externalUserId });
  noteTriggered(id);
  await client.clock.advance(REFUSING_MS);
  const { health } = await readEndpoint(parts);
  report(
    'paused',
    health.state === 'paused'
      ? 'The shop rejected webhooks for an hour, so the service has paused the endpoint. The shop rejects them until you do the next task.'
      : 'The endpoint is not paused yet. See the dashboard.',
  );
}

/** Accepts webhooks again, resumes the endpoint if it is paused, and redelivers the missed events. */
export async function redeliver(parts: GuideParts): Promise<void> {
  const { client, report, setRefusing } = parts;
  const { id, health } = await readEndpoint(parts);
  await setRefusing(false);
  const isPaused = health.state === 'paused';
  const test = await (isPaused ? client.resumeEndpoint(id) : client.testEndpoint(id));
  if (!test.success) throw new Error('The test event was rejected. See the dashboard.');
  const { queued } = await client.redeliver(id);
  report(
    'redelivered',
    queued === 0
      ? 'No events were missed. Pause the webhooks first.'
      : `Tested the endpoint and redelivered ${toCount(queued, 'missed event')}.`,
  );
}

/** Clears the next outcome, accepts webhooks again and signs in as a new customer. */
export async function cleanUp(parts: GuideParts): Promise<void> {
  await setNextOutcome(parts, null);
  await parts.setRefusing(false);
  await becomeNewCustomer(parts.shop);
}

async function setNextOutcome(
  { shop, client }: GuideParts,
  outcome: ReturnType<typeof findTask>['nextOutcome'],
): Promise<void> {
  const tenantId = await findTenantId(shop.api, client);
  await client.clearNextOutcomes(tenantId);
  if (outcome) await client.queueNextOutcomes(tenantId, [outcome]);
}

/** @throws Error if the shop's endpoint was deleted */
async function readEndpoint({ shop, client }: GuideParts): Promise<EndpointResource> {
  const tenantId = await findTenantId(shop.api, client);
  const endpoint = findEndpoint(await client.endpoints(tenantId));
  if (endpoint) return endpoint;
  throw new Error(
    "The shop's webhook endpoint was deleted. Reset everything on the dashboard to get it back.",
  );
}
