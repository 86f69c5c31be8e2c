/** Replaces the addresses of webhook receivers. They lead nowhere on another computer, and may be a secret. */
export interface Receivers {
  /** The made-up address; the same one for the same address. */
  addressOf(url: string): string;
  /** Copies a JSON value with made-up addresses in its properties `url`. */
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

/** As an endpoint stores it: see delivery/destination.ts. */
function toStored(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.hash = '';
  return url.href;
}
