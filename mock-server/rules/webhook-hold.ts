import type { Db } from '../store/db.ts';
import type { SettingRow } from '../store/rows.ts';

/**
 * The id of the setting that exists while webhooks to public addresses are held back, because the state
 * comes from a file and may have the endpoints of another person. Its value is the time at which the hold
 * began. Held deliveries stay queued, and their lanes have no job.
 */
export const WEBHOOK_HOLD_ID = 'webhook-hold';

/** Returns the time at which the hold began, or null if nothing is held. */
export function findWebhookHoldSinceMs(db: Db): number | null {
  const hold = db.get('settings', WEBHOOK_HOLD_ID);
  return hold ? parseWebhookHold(hold) : null;
}

export function parseWebhookHold({ value }: SettingRow): number {
  return Number.parseInt(value, 10);
}

/** Tells whether webhooks to this address are held back. */
export function isHeld(db: Db, url: string): boolean {
  return findWebhookHoldSinceMs(db) !== null && isPublic(url);
}

/** Tells the same of the address of a lane, whose endpoint may have been deleted. */
export function isHeldLane(db: Db, laneId: string): boolean {
  const lane = db.get('endpointHealth', laneId);
  return lane !== undefined && isHeld(db, lane.url);
}

/** The hosts of this computer, as the URL parser spells them. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Tells whether a webhook to this address leaves the computer. */
export function isPublic(url: string): boolean {
  return !LOOPBACK.test(new URL(url).hostname.replace(/\.$/, ''));
}
