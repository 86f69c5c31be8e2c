import { DEMO_MARK, isDemoUrl, SHOP_WEBHOOK_PATH } from '../api/brand.ts';
import type { Control } from '../api/control.ts';
import type { Demo } from '../api/state.ts';
import { isLoopbackHost } from '../send/address.ts';
import type { MockServerOptions } from './node-server-options.ts';

/** Returns the webhook targets of this run: the demo backend, and the address in `forwardTo`. */
export function toTargets(
  shopBackend: string | undefined,
  forwardTo: string | undefined,
): readonly string[] {
  const path = `${SHOP_WEBHOOK_PATH}?${DEMO_MARK}`;
  const shop = shopBackend === undefined ? [] : [new URL(path, shopBackend).href];
  return forwardTo === undefined ? shop : [...shop, new URL(forwardTo).href];
}

/**
 * Tells whether endpoints may be on this machine, which is allowed by the option or implied by a
 * `forwardTo` on this machine.
 */
export function opensLoopback({
  allowLoopbackWebhooks,
  forwardTo,
}: Pick<MockServerOptions, 'allowLoopbackWebhooks' | 'forwardTo'>): boolean {
  if (allowLoopbackWebhooks === true) return true;
  return forwardTo !== undefined && isLoopbackHost(new URL(forwardTo).host);
}

/**
 * Adds the endpoints of this run to the demo account of an existing state. Other endpoints are left
 * unchanged. The demo shop's endpoint follows its server: it moves to the server's port, and is disabled if
 * the server does not run. In a shared state it may belong to another server's shop, so it is left
 * unchanged.
 *
 * The endpoints of this run share one secret, so that one line in `.env` verifies all their webhooks. It is
 * the secret of the account's first endpoint or, if that has none, of the first endpoint that is added here.
 * @returns that secret, or null if there is none
 */
export async function ensureEndpoints(
  control: Control,
  { tenantId, webhookSecret }: Demo,
  { targets, isShared }: { readonly targets: readonly string[]; readonly isShared: boolean },
): Promise<string | null> {
  let secret = webhookSecret;
  const endpoints = await control.endpoints(tenantId);
  for (const url of targets) {
    const known = endpoints.find(
      (endpoint) =>
        endpoint.url === url || (!isShared && isDemoUrl(endpoint.url) && isDemoUrl(url)),
    );
    if (!known) {
      const input = secret === null ? { url } : { url, secret };
      secret = (await control.createEndpoint(tenantId, input)).secret;
    } else {
      const change = { url, enabled: true };
      await control.updateEndpoint(known.id, secret === null ? change : { ...change, secret });
    }
  }
  const isDemoRunning = targets.some(isDemoUrl);
  if (isShared || isDemoRunning) return secret;
  for (const endpoint of endpoints)
    if (endpoint.enabled && isDemoUrl(endpoint.url))
      await control.updateEndpoint(endpoint.id, { enabled: false });
  return secret;
}
