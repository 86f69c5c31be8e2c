/**
 * Hides the secrets in a text.
 * @param maxLength The number of characters of `text` to return. A secret that crosses this limit is found
 *   as a whole.
 */
export type Redact = (text: string, maxLength?: number) => string;

/**
 * Creates a function that replaces secrets by `…`. It finds these:
 *
 * - The known secrets, which may be any text of {@link MIN_KNOWN_LENGTH} characters or more.
 * - Secret keys, webhook secrets and tokens of other states, by their prefix. At the start of a word they end
 *   at the next space, quote, `&` or backslash, because a configured key may have any other character
 *   (`AT_WORD_START`). Within a word, as in `task_42`, the prefix must be followed by the characters of a
 *   generated secret (`ANYWHERE`).
 * - In JSON, the values of the properties that contain secrets (`NAMED`).
 *
 * All are also found if they are percent-encoded or escaped as in JSON, up to {@link MAX_DECODINGS} times and
 * in any mixture: each text is searched, then decoded once and searched again, and so on.
 */
export function createRedaction(known: Iterable<string>): Redact {
  const literals = [...new Set(known)]
    .filter((secret) => secret.length >= MIN_KNOWN_LENGTH && !GENERATED.test(secret))
    .flatMap(toSpellings);
  return (text, maxLength = Infinity) => {
    const spans = findSecrets(text, literals);
    if (spans.length > 0) return mask(text, spans, maxLength);
    return text.length > maxLength ? text.slice(0, maxLength) : text;
  };
}

/** The length from which a known secret is searched. A shorter one is a part of too many other texts. */
const MIN_KNOWN_LENGTH = 8;

/** A secret that is found by its form, so that it need not be searched. */
const GENERATED = /^(?:sk|whsec)_[0-9a-f]{16,}$/;

// In each pattern, the match is the group `shown`, which stays readable, and the secret after it.
const NAMED = /(?<shown>"(?:sessionToken|handoffToken|secret|secretKey)"\s*:\s*")(?:[^"\\]|\\.)*/g;

const AT_WORD_START = /(?<!\w)(?<shown>(?:sk|st1|ht1|whsec)_)[^\s"&\\]+/gi;

const ANYWHERE = /(?<shown>(?:sk|st1|ht1|whsec)_)[0-9a-f]{16,}/gi;

/** A part of a text that contains a secret. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the spellings in which a decoded text may contain a secret, such as `clé%25`:
 *
 * - `clé%25`, if the text was not encoded
 * - `clé%`, if its escapes were decoded, as often as possible
 * - `clÃ©%`, if it was percent-encoded, because that is decoded to the bytes of UTF-8
 */
function toSpellings(secret: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(secret), (byte) => String.fromCharCode(byte));
  return [...new Set([secret, decodeFully(secret), decodeFully(bytes.join(''))])];
}

/** The number of times that a text is decoded. */
const MAX_DECODINGS = 5;

/** Finds secrets in a text and in what it contains in an encoded form. */
function findSecrets(text: string, literals: readonly string[]): Span[] {
  return toLayers(text).flatMap((layer) => findInLayer(layer, literals));
}

/** A text, or what it contains in an encoded form. */
interface Layer {
  readonly text: string;
  /** Returns the place of a character, or of the end, in the original text. */
  placeOf(at: number): number;
}

/** Returns a text, the same text decoded once, decoded twice and so on. */
function toLayers(text: string): Layer[] {
  const layers: Layer[] = [];
  let layer: Layer | null = { text, placeOf: (at) => at };
  while (layer && layers.length <= MAX_DECODINGS) {
    layers.push(layer);
    layer = decode(layer);
  }
  return layers;
}

function decodeFully(text: string): string {
  return toLayers(text).at(-1)?.text ?? text;
}

function findInLayer({ text, placeOf }: Layer, literals: readonly string[]): Span[] {
  const spans: Span[] = [];
  const add = (start: number, end: number): void => {
    spans.push({ start: placeOf(start), end: placeOf(end) });
  };
  const addMatches = (pattern: RegExp): void => {
    for (const { 0: match, index, groups } of text.matchAll(pattern))
      add(index + (groups?.['shown'] ?? '').length, index + match.length);
  };
  // Most texts are headers without a quote or an underscore.
  if (text.includes('"')) addMatches(NAMED);
  if (text.includes('_')) {
    addMatches(AT_WORD_START);
    addMatches(ANYWHERE);
  }
  for (const literal of literals) {
    for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + literal.length))
      add(at, at + literal.length);
  }
  return spans;
}

const ENCODED = /%([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\(["\\/bfnrt])|\+/g;

const CHARACTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Decodes a text once. Returns null if it contains nothing to decode. */
function decode({ text, placeOf }: Layer): Layer | null {
  // A shortcut, because most texts are not encoded.
  if (!/[%\\+]/.test(text)) return null;
  let decoded = '';
  const places: number[] = [];
  let end = 0;
  const copyUntil = (start: number): void => {
    decoded += text.slice(end, start);
    for (let at = end; at < start; at += 1) places.push(placeOf(at));
  };
  for (const match of text.matchAll(ENCODED)) {
    copyUntil(match.index);
    decoded += toCharacter(match);
    places.push(placeOf(match.index));
    end = match.index + match[0].length;
  }
  if (places.length === 0) return null;
  copyUntil(text.length);
  places.push(placeOf(text.length));
  // The cast is safe, because there is a place for each character and for the end.
  return { text: decoded, placeOf: (at) => places[at] as number };
}

function toCharacter([, byte, unit, character]: RegExpExecArray): string {
  const code = byte ?? unit;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  // Forms write a space as a plus.
  if (character === undefined) return ' ';
  return CHARACTERS[character] ?? character;
}

/** Replaces each span by `…`. Spans that overlap or touch become one. */
function mask(text: string, spans: readonly Span[], maxLength: number): string {
  let masked = '';
  let hiddenTo = -1;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start >= maxLength) break;
    if (start > hiddenTo) masked += `${text.slice(Math.max(0, hiddenTo), start)}…`;
    hiddenTo = Math.max(hiddenTo, end);
  }
  return masked + text.slice(Math.max(0, hiddenTo), maxLength);
}
