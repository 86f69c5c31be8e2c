import type { PendingReport } from './reporter.ts';

type Facts = PendingReport['facts'];

/** Maximum number of characters of a text, as the service keeps it. */
const MAX_TEXT = 500;

/** The number of characters of an `externalUserId` that are reported. */
const MAX_OF_USER = 4;

/** Returns a value as a short text. Undefined if it has no simple text. */
export function toFact(value: unknown): string | undefined {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Returns the facts of the constructor's options. The key is none of them. */
export function toOptionFacts(options: Readonly<Record<string, unknown>>): Facts {
  const callbacks = ['onComplete', 'onCancel', 'onError'].filter((name) => options[name]);
  return {
    mode: toFact(options['mode'] ?? 'redirect'),
    newTabTarget: toFact(options['newTabTarget']),
    environment: toFact(options['environment']),
    language: toFact(options['language']),
    returnUrl: toBareUrl(options['returnUrl']),
    cancelUrl: toBareUrl(options['cancelUrl']),
    callbacks: callbacks.join(', ') || undefined,
  };
}

/** Returns the facts of the options of `verify()`, which may be anything. */
export function toCallFacts(options: unknown): Facts {
  const { externalUserId, skipIntro, autoReturn, language } = Object(options);
  return {
    externalUserId: toShortUser(externalUserId),
    skipIntro: toFlag(skipIntro),
    autoReturn: toFlag(autoReturn),
    language: toFact(language),
  };
}

export function toResultFacts(result: unknown): Facts {
  const { status, reason, timestamp, externalUserId } = Object(result);
  return {
    status: toFact(status),
    reason: toFact(reason),
    timestamp: toFact(timestamp),
    externalUserId: toShortUser(externalUserId),
  };
}

export function toErrorFacts(error: unknown): Facts {
  const { code, message } = Object(error);
  return { code: toFact(code), message: toFact(message) ?? toFact(error) };
}

/** Returns the session that a result, an error or a message names. */
export function readSessionId(value: unknown): string | undefined {
  const { sessionId } = Object(value);
  return typeof sessionId === 'string' && sessionId !== '' ? toFact(sessionId) : undefined;
}

export function toBareUrl(value: unknown): string | undefined {
  return toFact(value)?.split(/[?#]/)[0];
}

function toShortUser(value: unknown): string | undefined {
  const text = toFact(value);
  return text === undefined || text.length <= MAX_OF_USER ? text : `${text.slice(0, MAX_OF_USER)}…`;
}

function toFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
