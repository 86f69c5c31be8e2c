/** The list of webhooks on the shop's page. */
import { expect, it } from 'vitest';
import type { DeliveryResource } from 'ofage/mock';
import { toWebhookRows } from '../../../playground/merchant/webhook-rows.ts';
import type { ReceivedWebhook } from '../../../playground/shared/shop-api.ts';

const at = (minute: number): string => `2026-11-21T08:${String(minute).padStart(2, '0')}:00.000Z`;

const received = (event: string, minute: number, duplicate = false): ReceivedWebhook => ({
  eventId: null,
  event,
  sessionId: 'session-1',
  happenedAt: at(minute),
  receivedAt: at(59),
  duplicate,
});

const refused = (event: string, minutes: readonly number[]): DeliveryResource =>
  ({
    id: event,
    event,
    sessionId: 'session-2',
    createdAt: at(0),
    attempts: minutes.map((minute) => ({ startedAt: at(minute) })),
  }) as unknown as DeliveryResource;

it('accepted and rejected webhooks are one list, newest first', () => {
  const rows = toWebhookRows(
    [received('verification.completed', 5, true), received('session.started', 2)],
    [refused('session.timeout', [1, 3]), refused('verification.cancelled', [6])],
  );
  expect(rows.map(({ event, result }) => `${event} ${result}`)).toEqual([
    'verification.cancelled rejected',
    'verification.completed duplicate',
    'session.timeout rejected',
    'session.started accepted',
  ]);
  expect(rows.map((row) => row.at)).toEqual([at(6), at(5), at(3), at(2)]);
});
