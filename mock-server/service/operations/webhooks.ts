import * as v from 'valibot';
import * as show from './schemas/webhooks.ts';
import type { WebhookControl } from '../../api/webhooks.ts';
import {
  deleteLegacyWebhook,
  getLegacyWebhook,
  migrateLegacyWebhook,
  putLegacyWebhook,
  rotateSecret,
} from '../../rules/endpoints.ts';
import { redeliver } from '../../rules/redelivery.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import {
  toEmailResource,
  toEndpointResource,
  toLegacyResource,
  toNoticeResource,
  toTestResource,
} from '../to-wire.ts';
import { explainInput, explainReceived } from './explain.ts';
import { legacyInput } from './inputs.ts';
import { op, type OperationsOf } from './operation.ts';
import { session } from './schemas/control.ts';
import { triggerEvent, triggerInput } from './trigger.ts';
import { validateDestination } from './validate-destination.ts';

const accountFilter = v.object({ tenantId: v.optional(v.string('tenantId must be a string')) });

/**
 * The operations for test events, redelivery, secrets, the legacy webhook, emails and notices, and those
 * that explain signatures and trigger events.
 */
export const webhookOperations = {
  testEndpoint: op({
    summary: 'Send a test event',
    idOf: 'endpoint',
    response: show.test,
    refusals: [409],
    run: async ({ tester }, id) => toTestResource(await tester.test(id, { isResume: false })),
  }),
  resumeEndpoint: op({
    summary: 'Send a test event and end the pause if it is accepted',
    idOf: 'endpoint',
    response: show.test,
    refusals: [409],
    run: async ({ tester }, id) => toTestResource(await tester.test(id, { isResume: true })),
  }),
  redeliver: op({
    summary: 'Redeliver undelivered events',
    idOf: 'endpoint',
    response: show.redelivery,
    refusals: [409],
    run: ({ transact }, id) => transact((db, { nowMs }) => redeliver(db, id, nowMs)),
  }),
  rotateSecret: op({
    summary: 'Generate a new secret, which signs from the next request on',
    idOf: 'endpoint',
    response: show.newEndpoint,
    run: ({ transact }, id) =>
      transact((db, moment) => {
        const rotated = rotateSecret(db, id, moment);
        return { ...toEndpointResource(db, rotated, moment.nowMs), secret: rotated.secret };
      }),
  }),

  legacyWebhook: op({
    summary: 'Read the legacy webhook',
    idOf: 'legacy',
    response: show.legacyWebhook,
    run: ({ transact }, tenantId) =>
      transact((db, { nowMs }) => toLegacyResource(db, getLegacyWebhook(db, tenantId), nowMs)),
  }),
  putLegacyWebhook: op({
    summary: 'Set the legacy webhook',
    idOf: 'tenant',
    input: legacyInput,
    example: { url: 'https://shop.example/legacy', events: ['session.timeout'] },
    response: show.legacyWebhook,
    async run({ transact, resolveDestination }, tenantId, { url, events, secret }) {
      const normalisedUrl = await validateDestination(url, resolveDestination);
      return transact((db, moment) => {
        const wanted = { url: normalisedUrl, events: events ?? EVENT_KINDS, secret };
        const legacy = putLegacyWebhook(db, tenantId, wanted, moment);
        return { ...toLegacyResource(db, legacy, moment.nowMs), secret: legacy.secret };
      });
    },
  }),
  deleteLegacyWebhook: op({
    summary: 'Delete the legacy webhook',
    idOf: 'legacy',
    response: null,
    run: ({ transact }, tenantId) =>
      transact((db, { nowMs }) => deleteLegacyWebhook(db, tenantId, nowMs)),
  }),
  migrateLegacyWebhook: op({
    summary: 'Convert the legacy webhook to an endpoint',
    idOf: 'legacy',
    response: show.endpoint,
    status: 201,
    refusals: [409],
    async run({ transact, resolveDestination }, tenantId) {
      const { url } = await transact((db) => getLegacyWebhook(db, tenantId));
      await validateDestination(url, resolveDestination);
      return transact((db, moment) =>
        toEndpointResource(db, migrateLegacyWebhook(db, tenantId, moment), moment.nowMs),
      );
    },
  }),

  emails: op({
    summary: 'List the emails to owners and admins',
    input: accountFilter,
    response: v.array(show.email),
    run: ({ transact }, filter) =>
      transact((db) => [...db.all('emails')].filter(isOf(filter)).map(toEmailResource)),
  }),
  notices: op({
    summary: 'List the dashboard’s notices of pauses',
    input: accountFilter,
    response: v.array(show.notice),
    run: ({ transact }, filter) =>
      transact((db) => [...db.all('notices')].filter(isOf(filter)).map(toNoticeResource)),
  }),
  explainWebhook: op({
    summary: 'Explain why a signature does not verify',
    input: explainInput,
    example: { body: '{}', signature: `sha256=${'0'.repeat(64)}` },
    response: show.explanation,
    run: (context, input) => explainReceived(context, input),
  }),
  trigger: op({
    summary: 'Trigger an event',
    input: triggerInput,
    example: { name: 'verification.completed', externalUserId: 'anna' },
    response: session,
    status: 201,
    refusals: [404, 409],
    run: ({ transact }, input) => transact((db, moment) => triggerEvent(db, input, moment)),
  }),
} satisfies OperationsOf<WebhookControl>;

function isOf({ tenantId }: { tenantId?: string | undefined }) {
  return (row: { readonly tenantId: string }): boolean =>
    tenantId === undefined || row.tenantId === tenantId;
}
