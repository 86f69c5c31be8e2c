/**
 * Replaces the addresses of webhook receivers, because they may be secret and may not work on another
 * computer.
 */
export interface Receivers {
  /** Returns the placeholder for an address. The same address always gets the same placeholder. */
  addressOf(url: string): string;
  /** Copies a JSON value with placeholders in its `url` properties. */
  replaceIn(value: unknown): unknown;
}

export function createReceivers(): Receivers {
  const addresses = new Map<string, string>();
  function addressOf(url: string): string {
    const known = addresses.get(toStored(url)) ?? `https://receiver-${addresses.size + 1}.example/`;
    addresses.set(toStored(url), known);
    return known;
  }
  function replaceIn(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(replaceIn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        name === 'url' && typeof part === 'string' ? addressOf(part) : replaceIn(part),
      ]),
    );
  }
  return { addressOf, replaceIn };
}

/**
 * Normalises an address in the same way as delivery/destination.ts, so that it matches stored endpoints.
 */
function toStored(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = '';
  return url.href;
}
