import {
  SCENARIOS,
  type DeliveryResource,
  type EventResource,
  type FaultResource,
  type RequestResource,
  type ScenarioName,
  type SessionResource,
} from 'ofage/mock';
import { toExpectedEvents } from './expected-events.ts';
import {
  FAULTS,
  MAX_DURATION_MS,
  type Action,
  type Answer,
  type Scenario,
  type SessionOptions,
  type Step,
} from './scenario-file.ts';

/** What the service tells about a stretch of its time. Whatever began before it is left out. */
export interface RunMaterial {
  readonly name: string;
  /** The service's time. */
  readonly startMs: number;
  readonly endMs: number;
  readonly sessions: readonly SessionResource[];
  readonly requests: readonly RequestResource[];
  readonly events: readonly EventResource[];
  readonly deliveries: readonly DeliveryResource[];
  /** As they were asked for. */
  readonly faults: readonly FaultResource[];
  /** When an endpoint's pause ended, and when events were queued again: the service keeps no list of these. */
  readonly resumedMs: readonly number[];
  readonly redeliveredMs: readonly number[];
}

/** Writes a run down as steps: what has to be done for the same to happen again. */
export function toScenario(material: RunMaterial): Scenario {
  const { name, startMs, endMs, events } = material;
  const sessions = material.sessions
    .filter(({ createdAt }) => isWithin(createdAt, material))
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  const names = new Map(sessions.map(({ id }, index) => [id, `session-${index + 1}`]));
  const deliveries = ofOneEndpoint(
    material.deliveries.filter(({ sessionId }) => names.has(sessionId)),
  );
  const steps = [
    ...toAnswers(deliveries, material),
    ...toFaults(material),
    ...sessions.flatMap((session) =>
      toSessionSteps(session, names.get(session.id) ?? '', material),
    ),
    ...material.resumedMs.map((atMs) => ({ atMs, do: 'resume' as const })),
    ...material.redeliveredMs.map((atMs) => ({ atMs, do: 'redeliver' as const })),
  ]
    .map((step): Step => ({ ...step, atMs: Math.max(0, step.atMs - startMs) }))
    .toSorted((a, b) => a.atMs - b.atMs || RANKS[a.do] - RANKS[b.do]);
  const durationMs = Math.min(MAX_DURATION_MS, Math.max(endMs - startMs, steps.at(-1)?.atMs ?? 0));
  return {
    format: 'ofage-scenario',
    version: 1,
    name,
    description: `Recorded ${new Date(startMs).toISOString().slice(0, 19).replace('T', ' ')} UTC.`,
    durationMs,
    steps,
    events: toExpectedEvents({ names, events, deliveries, startMs }),
  };
}

/** Of one instant, what makes the rest go as it did comes first. */
const RANKS: Readonly<Record<Step['do'], number>> = {
  answer: 0,
  fault: 1,
  create: 2,
  poor_image: 3,
  retry: 4,
  settle: 5,
  validate: 6,
  resume: 7,
  redeliver: 8,
};

/** With the service's own time. */
type TimedAction = { readonly atMs: number } & Action;

function toSessionSteps(
  session: SessionResource,
  name: string,
  { requests, endMs }: RunMaterial,
): TimedAction[] {
  const { id, createdAt, validatedAt } = session;
  const asked = requests.filter(
    ({ sessionId, status, fault }) => sessionId === id && status < 300 && fault !== 'malformed',
  );
  const images = asked.flatMap((request): TimedAction[] => {
    const atMs = Date.parse(request.at);
    if (request.path.endsWith('/retry')) return [{ atMs, do: 'retry', session: name }];
    const isPoor = request.path.endsWith('/submit') && /"poor"/.test(request.requestBody ?? '');
    return isPoor ? [{ atMs, do: 'poor_image', session: name }] : [];
  });
  const settled = toSettle(session, asked, images);
  return [
    { atMs: Date.parse(createdAt), do: 'create', session: name, options: toOptions(session) },
    ...images,
    ...(settled ? [{ ...settled, session: name }] : []),
    ...(validatedAt !== null && Date.parse(validatedAt) <= endMs
      ? [{ atMs: Date.parse(validatedAt), do: 'validate' as const, session: name }]
      : []),
  ];
}

function toOptions(session: SessionResource): SessionOptions {
  const { returnUrl, cancelUrl, externalUserId, merchantName } = session;
  const { verificationMode, challengeAge, faceMatchEnabled } = session;
  return {
    returnUrl,
    ...(cancelUrl ? { cancelUrl } : {}),
    ...(externalUserId ? { externalUserId } : {}),
    ...(merchantName ? { merchantName } : {}),
    verificationMode,
    challengeAge,
    faceMatchEnabled,
  };
}

/** How a session ended; nothing when its time simply ran out, or an image ended it. */
function toSettle(
  session: SessionResource,
  asked: readonly RequestResource[],
  images: readonly TimedAction[],
): { atMs: number; do: 'settle'; outcome: ScenarioName } | null {
  const { status, reason, settledAt, createdAt, expiresAt } = session;
  if (status === 'pending' || settledAt === null) return null;
  const atMs = Date.parse(settledAt);
  if (status === 'expired' && Date.parse(expiresAt) - Date.parse(createdAt) >= LIFETIME_MS)
    return null;
  const chosen = asked.findLast(({ path }) => path.endsWith('/outcome'))?.requestBody ?? '';
  // One poor image more than there are retries has ended the session by itself.
  const poor = images.filter((image) => image.do === 'poor_image').length;
  if (reason === 'image_quality' && poor > MAX_RETRIES && chosen === '') return null;
  const fitting = SCENARIOS.filter(
    (scenario) => scenario.outcome === status && scenario.reason === reason,
  );
  const outcome = fitting.find(({ name }) => chosen.includes(`"${name}"`)) ?? fitting[0];
  return outcome ? { atMs, do: 'settle', outcome: outcome.name } : null;
}

/** How many the service allows on one session. */
const MAX_RETRIES = 2;

/** Ten minutes; less only where a scenario brought the deadline forward. */
const LIFETIME_MS = 600_000;

/** A file has one endpoint: the one that got most. */
function ofOneEndpoint(deliveries: readonly DeliveryResource[]): DeliveryResource[] {
  const counts = new Map<string | null, number>();
  for (const { endpointId } of deliveries)
    counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  const [busiest] = [...counts].toSorted(([, a], [, b]) => b - a);
  return deliveries.filter(({ endpointId }) => endpointId === busiest?.[0]);
}

function toAnswers(
  deliveries: readonly DeliveryResource[],
  { startMs, resumedMs }: RunMaterial,
): TimedAction[] {
  const heard = deliveries
    .flatMap(({ attempts }) => attempts)
    .flatMap((attempt) => {
      const answer = toAnswer(attempt);
      return answer ? [{ atMs: Date.parse(attempt.startedAt), answer }] : [];
    });
  // A pause ends when a test event is accepted.
  const resumed = resumedMs.map((atMs) => ({ atMs, answer: 'ok' as const }));
  let last: Answer = 'ok';
  return [...heard, ...resumed]
    .toSorted((a, b) => a.atMs - b.atMs)
    .flatMap(({ atMs, answer }, index): TimedAction[] => {
      if (answer === last) return [];
      last = answer;
      // It answered so before anybody asked.
      return [{ atMs: index === 0 ? startMs : atMs, do: 'answer', with: answer }];
    });
}

function toAnswer({
  outcome,
  httpStatus,
  error,
}: DeliveryResource['attempts'][number]): Answer | null {
  switch (outcome) {
    case null:
    case 'lost':
      return null;
    case 'ok':
      return 'ok';
    case 'reject':
      return httpStatus === 410 ? 'gone' : 'unauthorized';
    case 'fail':
      if (httpStatus === 429) return 'too_many';
      if (httpStatus !== null) return 'server_error';
      return error === 'timeout' ? 'hang' : 'reset';
  }
}

/**
 * Faults, and the calls that met them. What the hosted page asks for is not repeated, so its faults are not
 * either; what a webhook met is repeated as the receiver's answer.
 */
function toFaults(material: RunMaterial): TimedAction[] {
  const faults = material.faults.flatMap((fault): TimedAction[] => {
    const { operation, remaining, createdAt } = fault;
    const kind = FAULTS.find((one) => one === fault.fault);
    if (operation === 'hosted' || operation === 'webhook' || kind === undefined) return [];
    if (!isWithin(createdAt, material)) return [];
    const atMs = Date.parse(createdAt);
    return [{ atMs, do: 'fault', operation, fault: kind, count: remaining }];
  });
  const refused = material.requests
    .filter(({ at, operation, fault, sessionId }) => {
      const isFailed = fault !== null && fault !== 'slow' && sessionId === null;
      return operation === 'create' && isFailed && isWithin(at, material);
    })
    .toSorted((a, b) => a.id - b.id)
    .map((request, index): TimedAction => {
      const session = `refused-${index + 1}`;
      const { returnUrl }: { returnUrl?: unknown } = Object(parseOrNull(request.requestBody));
      const options = {
        returnUrl: typeof returnUrl === 'string' ? returnUrl : 'http://localhost/',
      };
      return { atMs: Date.parse(request.at), do: 'create', session, options, fails: true };
    });
  return [...faults, ...refused];
}

function parseOrNull(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function isWithin(at: string, { startMs, endMs }: Pick<RunMaterial, 'startMs' | 'endMs'>): boolean {
  const atMs = Date.parse(at);
  return atMs >= startMs && atMs <= endMs;
}
