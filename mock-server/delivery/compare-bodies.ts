import { toFinding, type Finding, type FindingCode } from './signature-findings.ts';

/** A text that may have been signed, and the findings about the received body in that case. */
export interface BodyGuess {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Returns the texts that may have been signed: the received body itself, and its possible originals. */
export function guessBodies(body: string, sentBodies: readonly string[]): BodyGuess[] {
  const sent = sentBodies.filter((text) => text !== body && isRelated(text, body));
  const guesses = [body.trim(), `${body}\n`, body.replaceAll('\r\n', '\n')].filter(
    (text, at, all) => text !== body && all.indexOf(text) === at,
  );
  return [
    { text: body, findings: [] },
    ...sent.map((text) => ({ text, findings: compareBodies(text, body) })),
    ...guesses.map((text) => ({ text, findings: [toFinding('body_whitespace')] })),
    ...toReserialised(body).map((text) => ({ text, findings: [toFinding('body_reserialised')] })),
  ];
}

/**
 * Returns the finding that describes how the received body differs from the sent one, or none if they are
 * equal.
 */
export function compareBodies(sent: string, received: string): Finding[] {
  if (sent === received) return [];
  return [toFinding(toDifference(sent, received))];
}

/** Tells whether a body names an event that was sent, but has different content. */
export function isChanged(body: string, sentBodies: readonly string[]): boolean {
  return (
    !sentBodies.includes(body) &&
    sentBodies.some((sent) => isRelated(sent, body) && toDifference(sent, body) === 'body_changed')
  );
}

export function isTestBody(body: string): boolean {
  return (parse(body) as Partial<Envelope> | undefined)?.test === true;
}

function toDifference(sent: string, received: string): FindingCode {
  if (received.trim() === '') return 'body_empty';
  if (withoutSpace(sent) === withoutSpace(received)) return 'body_whitespace';
  if (toCanonical(sent) === toCanonical(received)) return 'body_reserialised';
  return toIdentity(sent) === toIdentity(received) || toIdentity(received) === null
    ? 'body_changed'
    : 'body_swapped';
}

/**
 * Tells whether two bodies are about the same event: they have the same content, or the same session and
 * kind.
 */
function isRelated(sent: string, body: string): boolean {
  return withoutSpace(sent) === withoutSpace(body) || toIdentity(sent) === toIdentity(body);
}

/** Removes white space outside of strings, where it has no meaning. */
function withoutSpace(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

/**
 * Returns the session and the kind of event. All test events have the same session and kind, so their time
 * is added.
 */
function toIdentity(json: string): string | null {
  const value = parse(json) as Partial<Envelope> | undefined;
  const sessionId = value?.data?.sessionId;
  if (typeof sessionId !== 'string') return null;
  const time = value?.test === true ? ` ${String(value.timestamp)}` : '';
  return `${String(value?.event)} ${sessionId}${time}`;
}

interface Envelope {
  readonly event: unknown;
  readonly test: unknown;
  readonly timestamp: unknown;
  readonly data: { readonly sessionId?: unknown } | null;
}

/** Returns the same text for the same content, with keys in any order. */
function toCanonical(json: string): string {
  return JSON.stringify(parse(json), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Returns the compact form of a pretty-printed body, because the service sends compact JSON. */
function toReserialised(body: string): string[] {
  const value = parse(body);
  const compact = value === undefined ? body : JSON.stringify(value);
  return compact === body ? [] : [compact];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
