import type { ServiceMutant } from './service-mutant.ts';

/** Mutants of signatures, retries and pacing. Files are below mock-server/. */
export const RETRY_MUTANTS: readonly ServiceMutant[] = [
  {
    name: 'signs a differently formatted copy of the body',
    file: 'send/send-body.ts',
    find: 'await sign(body, secret)',
    replace:
      'await sign(new TextEncoder().encode(JSON.stringify(JSON.parse(bodyText), null, 1)), secret)',
  },
  {
    name: 'writes the signature in upper case',
    file: 'send/signature.ts',
    find: "byte.toString(16).padStart(2, '0')",
    replace: "byte.toString(16).padStart(2, '0').toUpperCase()",
  },
  {
    name: 'writes the signature without its prefix',
    file: 'send/signature.ts',
    find: '`sha256=${Array',
    replace: '`${Array',
  },
  {
    name: 'signs with SHA-512',
    file: 'send/signature.ts',
    find: "hash: 'SHA-256'",
    replace: "hash: 'SHA-512'",
  },
  {
    name: 'sends no signature',
    file: 'send/send-body.ts',
    find: 'signature !== null && {',
    replace: 'false && {',
  },
  {
    name: 'signs requests of an endpoint without a secret',
    file: 'send/sign-and-hash.ts',
    find: 'secret === null ? null : signBody(body, secret)',
    replace: "signBody(body, secret ?? 'none')",
  },
  {
    name: 'gives each attempt a different eventId',
    file: 'rules/attempts.ts',
    find: 'const bodyText = event && bodyOf(db, event, nowMs);',
    replace:
      'const bodyText = event && bodyOf(db, event, nowMs)?.replace(/"eventId":"[^"]+"/, `"eventId":"${toToken("evt_", random)}"`);',
  },
  {
    name: 'changes the body at a retry',
    file: 'rules/attempts.ts',
    find: 'const bodyText = event && bodyOf(db, event, nowMs);',
    replace:
      'const bodyText = event && bodyOf(db, event, nowMs)?.replace("{", `{"attempt":${delivery.attempts + 1},`);',
  },
  {
    name: 'accepts only 200',
    file: 'send/attempt-outcome.ts',
    find: 'status >= 200 && status < 300',
    replace: 'status === 200',
  },
  {
    name: 'accepts a redirect without a target',
    file: 'send/attempt-outcome.ts',
    find: 'status >= 200 && status < 300',
    replace: 'status >= 200 && status < 400',
  },
  {
    name: 'does not retry a completion',
    file: 'rules/retries.ts',
    find: "case 'durable': {",
    replace: "case 'durable': {\n      return giveUp(db, delivery, 'attempts', nowMs);",
  },
  {
    name: 'does not retry a completion after a rejection',
    file: 'rules/retries.ts',
    find: "case 'durable': {",
    replace:
      "case 'durable': {\n      if (failure.class === 'reject') return giveUp(db, delivery, 'rejected', nowMs);",
  },
  {
    name: 'retries a completion for one hour only',
    file: 'rules/webhook-limits.ts',
    find: 'DELIVERY_WINDOW_MS = 24 * 3_600_000',
    replace: 'DELIVERY_WINDOW_MS = 3_600_000',
  },
  {
    name: 'retries a completion for two days',
    file: 'rules/webhook-limits.ts',
    find: 'DELIVERY_WINDOW_MS = 24 * 3_600_000',
    replace: 'DELIVERY_WINDOW_MS = 48 * 3_600_000',
    and: {
      file: 'rules/pacing.ts',
      find: 'FAIL_PAUSE_MS = 24 * 3_600_000',
      replace: 'FAIL_PAUSE_MS = 72 * 3_600_000',
    },
  },
  {
    name: 'waits longer than ten minutes before a retry',
    file: 'rules/webhook-limits.ts',
    find: 'BACKOFF_CAP_MS = 600_000',
    replace: 'BACKOFF_CAP_MS = 3_600_000',
  },
  {
    name: 'retries without a growing wait',
    file: 'rules/backoff.ts',
    find: 'Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** doublings)',
    replace: 'BACKOFF_BASE_MS',
  },
  {
    name: 'ignores Retry-After',
    file: 'send/attempt-outcome.ts',
    find: 'status === 429 || status === 503',
    replace: 'false',
  },
  {
    name: 'honours Retry-After with every status',
    file: 'send/attempt-outcome.ts',
    find: 'status === 429 || status === 503',
    replace: 'true',
  },
  {
    name: 'ignores a Retry-After of more than an hour',
    file: 'send/retry-after.ts',
    find: 'Math.min(Number(text) * 1000, RETRY_AFTER_MAX_MS)',
    replace: 'Number(text) <= 3_600 ? Number(text) * 1000 : null',
  },
  {
    name: 'honours a Retry-After of more than an hour',
    file: 'rules/webhook-limits.ts',
    find: 'RETRY_AFTER_MAX_MS = 3_600_000',
    replace: 'RETRY_AFTER_MAX_MS = 36_000_000',
  },
  {
    name: 'attempts session.timeout five times',
    file: 'rules/webhook-limits.ts',
    find: 'TIMEOUT_ATTEMPTS = 3',
    replace: 'TIMEOUT_ATTEMPTS = 5',
  },
  {
    name: 'retries session.timeout off the five-second grid',
    file: 'rules/backoff.ts',
    find: 'Math.ceil(atMs / TIMEOUT_GRID_MS) * TIMEOUT_GRID_MS',
    replace: 'atMs + 1',
  },
  {
    name: 'attempts session.started five times',
    file: 'rules/webhook-limits.ts',
    find: 'INLINE_ATTEMPTS = 3',
    replace: 'INLINE_ATTEMPTS = 5',
  },
  {
    name: 'attempts session.started once',
    file: 'rules/webhook-limits.ts',
    find: 'INLINE_ATTEMPTS = 3',
    replace: 'INLINE_ATTEMPTS = 1',
  },
  {
    name: 'retries session.started after 404',
    file: 'rules/retries.ts',
    find: "if (failure.class === 'reject') return giveUp(db, delivery, 'rejected', nowMs);",
    replace: '',
  },
  {
    name: 'retries each event without regard to the others of its endpoint',
    file: 'rules/pacing.ts',
    find: 'inFlight >= (isFailing(health) ? 1 : PARALLEL_REQUESTS)',
    replace: 'inFlight >= PARALLEL_REQUESTS',
    and: {
      file: 'rules/pacing.ts',
      find: 'Math.max(nowMs, gateMs(health))',
      replace: 'Math.max(nowMs, health.holdUntilMs ?? 0)',
    },
  },
  {
    name: 'sends to a failing endpoint in parallel',
    file: 'rules/pacing.ts',
    find: 'FAILING_AFTER = 5',
    replace: 'FAILING_AFTER = 1_000_000',
  },
];
