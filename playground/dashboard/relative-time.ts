const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/** The two largest units that say something: `1 d 4 h`, `5 min`, `250 ms`. */
export function toRoughDuration(ms: number): string {
  const left = Math.max(0, Math.round(ms));
  const at = UNITS.findIndex((unit) => left >= unit.ms);
  const large = UNITS[at];
  if (!large) return `${left} ms`;
  const small = UNITS[at + 1];
  const first = `${Math.floor(left / large.ms)} ${large.name}`;
  const rest = small ? Math.floor((left % large.ms) / small.ms) : 0;
  return small && rest > 0 ? `${first} ${rest} ${small.name}` : first;
}

/** `5 min ago`, `in 2 h`, by the provider's clock. */
export function toRelative(at: string, nowMs: number): string {
  const ms = Date.parse(at) - nowMs;
  if (Math.abs(ms) < 1_000) return 'now';
  const away = toRoughDuration(inWholeMinutes(Math.abs(ms)));
  return ms < 0 ? `${away} ago` : `in ${away}`;
}

/** Nobody wants the seconds of what is minutes away. */
function inWholeMinutes(ms: number): number {
  return ms < 60_000 ? ms : Math.floor(ms / 60_000) * 60_000;
}
