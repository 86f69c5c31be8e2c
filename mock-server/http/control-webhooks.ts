import type { ExplainInput, LegacyWebhookInput, TriggerInput } from '../control/input-types.ts';
import type { WebhookControl } from '../control/webhooks.ts';
import { idOf, type AddControlRoute } from './control-route.ts';
import { respond } from './respond.ts';

/** The routes behind the dashboard's webhook buttons. The control checks its inputs itself. */
export function addWebhookControlRoutes(on: AddControlRoute, control: WebhookControl): void {
  on('POST', '/webhook-endpoints/:id/test', async (c) =>
    respond(c, 200, await control.testEndpoint(idOf(c))),
  );
  on('POST', '/webhook-endpoints/:id/resume', async (c) =>
    respond(c, 200, await control.resumeEndpoint(idOf(c))),
  );
  on('POST', '/webhook-endpoints/:id/redeliver', async (c) =>
    respond(c, 200, await control.redeliver(idOf(c))),
  );

  on('GET', '/tenants/:id/legacy-webhook', async (c) =>
    respond(c, 200, await control.legacyWebhook(idOf(c))),
  );
  on('PUT', '/tenants/:id/legacy-webhook', async (c, body) =>
    respond(c, 200, await control.putLegacyWebhook(idOf(c), body() as LegacyWebhookInput)),
  );
  on('DELETE', '/tenants/:id/legacy-webhook', async (c) => {
    await control.deleteLegacyWebhook(idOf(c));
    return respond(c, 204, null);
  });
  on('POST', '/tenants/:id/legacy-webhook/migrate', async (c) =>
    respond(c, 201, await control.migrateLegacyWebhook(idOf(c))),
  );

  on('GET', '/emails', async (c) =>
    respond(c, 200, { items: await control.emails({ tenantId: c.req.query('tenantId') }) }),
  );
  on('GET', '/notices', async (c) =>
    respond(c, 200, { items: await control.notices({ tenantId: c.req.query('tenantId') }) }),
  );
  on('POST', '/webhooks/explain', async (c, body) =>
    respond(c, 200, await control.explainWebhook(body() as ExplainInput)),
  );
  on('POST', '/events/trigger', async (c, body) =>
    respond(c, 201, await control.trigger(body() as TriggerInput)),
  );
}
