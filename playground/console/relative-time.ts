import { toRoughDuration } from '../shared/duration.ts';

/** Formats a time as `5 min ago` or `in 2 h`, relative to the service's clock. */
export function toRelative(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  if (Math.abs(ms) < 1_000) return 'now';
  const away = toRoughDuration(dropSeconds(Math.abs(ms)));
  return ms < 0 ? `${away} ago` : `in ${away}`;
}

/** Rounds a duration of one minute or more down to whole minutes. */
function dropSeconds(ms: number): number {
  return ms < 60_000 ? ms : Math.floor(ms / 60_000) * 60_000;
}
