import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { HealthResource } from '../../mock-server/control/webhook-resources.ts';
import type { GiveUpReason } from '../../mock-server/webhooks/deliveries.ts';
import type { LaneState } from '../../mock-server/webhooks/lanes.ts';
import * as limits from '../../mock-server/webhooks/webhook-limits.ts';

const page = readFileSync(
  new URL('../../docs/guides/webhook-delivery.md', import.meta.url),
  'utf8',
);

/** Returns the names in the first column of the table whose heading starts with `head`. */
function names(head: string): string[] {
  const table =
    page.slice(page.search(new RegExp(`^\\| ${head} +\\|`, 'm'))).split('\n\n')[0] ?? '';
  const cells = table.split('\n').map((row) => row.split('|')[1] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

// The compiler checks that each list is complete.
const REASONS: Record<GiveUpReason, true> = {
  paused: true,
  disabled: true,
  expired: true,
  attempts: true,
  rejected: true,
  retry_after: true,
  failing: true,
  lost: true,
};
const STATES: Record<LaneState, true> = {
  healthy: true,
  degraded: true,
  failing: true,
  paused: true,
  disabled: true,
};
const FIELDS: Record<keyof HealthResource, true> = {
  state: true,
  consecutiveFailures: true,
  failingSince: true,
  lastFailureAt: true,
  lastSuccessAt: true,
  pausedAt: true,
  pauseReason: true,
  notice: true,
  undelivered: true,
  mayRedeliver: true,
  pending: true,
  nextAttemptAt: true,
};

describe('docs/guides/webhook-delivery.md', () => {
  it('lists every reason for undelivered events', () => {
    expect(names('reason').sort()).toEqual(Object.keys(REASONS).sort());
  });

  it('lists every state and field of the endpoint health', () => {
    expect(names('state').sort()).toEqual(Object.keys(STATES).sort());
    expect(names('field').sort()).toEqual(Object.keys(FIELDS).sort());
  });

  it('must be checked again when one of these limits of the delivery engine changes', () => {
    expect({ ...limits }).toMatchObject({
      ATTEMPT_TIMEOUT_MS: 15_000,
      BACKOFF_BASE_MS: 5_000,
      BACKOFF_CAP_MS: 10 * 60_000,
      DELIVERY_WINDOW_MS: 24 * 3_600_000,
      TIMEOUT_ATTEMPTS: 3,
      INLINE_ATTEMPTS: 3,
      INLINE_WAITS_MS: [1_000, 2_000],
      INLINE_RETRY_AFTER_MAX_MS: 3_000,
      RETRY_AFTER_MAX_MS: 3_600_000,
      SLOW_AFTER_FAILURES: 5,
      FULL_RAMP: 8,
      LEASE_MS: 30_000,
      REDELIVERY_BATCH: 500,
      REDELIVERY_WINDOW_MS: 7 * 24 * 3_600_000,
      MAX_REDIRECTS: 5,
    });
  });
});
