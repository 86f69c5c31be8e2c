import { toFinding, type Finding, type FindingCode } from './signature-findings.ts';

/** A text that may have been signed, and what would then be wrong with the body as it was received. */
export interface BodyGuess {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** Returns what may have been signed: the body itself, else what it was before something changed it. */
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

/** Says how a received body differs from the one that was sent; nothing when they are the same. */
export function compareBodies(sent: string, received: string): Finding[] {
  if (sent === received) return [];
  return [toFinding(toDifference(sent, received))];
}

/** Whether a body names an event of ours and says something else about it. */
export function isChanged(body: string, sentBodies: readonly string[]): boolean {
  return (
    !sentBodies.includes(body) &&
    sentBodies.some((sent) => isRelated(sent, body) && toDifference(sent, body) === 'body_changed')
  );
}

/** Whether a body says that it is a test event. */
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

/** The same event: one says what the other says, or they name the same session and kind. */
function isRelated(sent: string, body: string): boolean {
  return withoutSpace(sent) === withoutSpace(body) || toIdentity(sent) === toIdentity(body);
}

/** Outside of strings, where it means nothing. */
function withoutSpace(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

/** The session and the kind of event; test events all name the same ones, and differ by their time. */
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

/** The same text for the same content, whatever the order of keys. */
function toCanonical(json: string): string {
  return JSON.stringify(parse(json), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** What this service writes is compact, so a body that was pretty-printed can be turned back. */
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
