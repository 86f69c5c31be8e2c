/** The list of webhooks on the shop's page. */
import { expect, it } from 'vitest';
import type { DeliveryResource } from 'ofage-mock';
import { toWebhookRows } from '../../../playground/demo/webhook-rows.ts';
import type { ReceivedWebhook } from '../../../playground/shop/api.ts';

const at = (minute: number): string => `2026-11-21T08:${String(minute).padStart(2, '0')}:00.000Z`;

/** Creates a webhook that the shop's server accepted. */
const received = (sessionId: string, minute: number, duplicate = false): ReceivedWebhook => ({
  eventId: null,
  event: 'session.started',
  sessionId,
  happenedAt: at(minute),
  // By the clock of this computer, which differs from the service's.
  receivedAt: '2030-01-01T00:00:00.000Z',
  duplicate,
});

/** Creates a delivery with attempts, given as pairs of a minute and an HTTP status. */
const delivery = (
  sessionId: string,
  tries: readonly (readonly [number, number | null])[],
  redeliveries = 0,
): DeliveryResource =>
  ({
    id: sessionId,
    event: 'session.started',
    sessionId,
    createdAt: at(0),
    redeliveries,
    attempts: tries.map(([minute, httpStatus]) => ({ startedAt: at(minute), httpStatus })),
  }) as unknown as DeliveryResource;

const shown = (...[webhooks, deliveries]: Parameters<typeof toWebhookRows>) =>
  toWebhookRows(webhooks, deliveries).map((row) => [row.at.slice(14, 16), row.result, row.isLate]);

it('toWebhookRows() merges accepted and rejected webhooks, newest first', () => {
  const rejected = [
    delivery('s1', [
      [1, 401],
      [3, 401],
    ]),
    delivery('s2', [[6, 401]]),
  ];
  expect(shown([received('s3', 5, true), received('s4', 2)], rejected)).toEqual([
    ['06', 'rejected', true],
    ['05', 'duplicate', false],
    ['03', 'rejected', true],
    ['02', 'accepted', false],
  ]);
});

const FAILED_FIRST = [
  [0, 500],
  [4, 204],
] as const;
const REDELIVERED_WHILE_DOWN = [
  [0, 204],
  [20, null],
] as const;
const UNREACHABLE_FIRST = [
  [0, null],
  [4, 204],
] as const;
const REJECTED_FIRST = [
  [0, 401],
  [30, 204],
] as const;

it.each([
  ['at once', [[0, 204]], 0, ['00', 'accepted', false]],
  ['with a retry', FAILED_FIRST, 0, ['04', 'accepted', true]],
  ['before a redelivery that failed', REDELIVERED_WHILE_DOWN, 0, ['00', 'accepted', false]],
  ['after the shop could not be reached', UNREACHABLE_FIRST, 0, ['04', 'accepted', true]],
  ['although its response was lost', [[2, null]], 0, ['02', 'accepted', true]],
  ['after a redelivery', REJECTED_FIRST, 1, ['30', 'redelivered', true]],
  ['after the endpoint was paused', [[30, 204]], 1, ['30', 'redelivered', true]],
  ['before its attempt is known', [], 0, ['00', 'accepted', false]],
] as const)(
  'toWebhookRows() shows a webhook that arrived %s',
  (_when, tries, redeliveries, row) => {
    expect(shown([received('s1', 0)], [delivery('s1', tries, redeliveries)])).toEqual([row]);
  },
);

it('toWebhookRows() gives each copy of an event the time of its own attempt, even if a response was lost', () => {
  const webhooks = [received('s1', 0, true), received('s2', 0), received('s1', 0)];
  const deliveries = [
    delivery('s1', [
      [0, null],
      [9, 204],
    ]),
    delivery('s2', [[5, 204]]),
  ];
  expect(shown(webhooks, deliveries)).toEqual([
    ['09', 'duplicate', true],
    ['05', 'accepted', true],
    ['00', 'accepted', false],
  ]);
});
