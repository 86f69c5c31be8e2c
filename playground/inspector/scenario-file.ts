import { SCENARIOS, type EventKind, type ScenarioName } from 'ofage/mock';
import { EVENT_KINDS } from 'ofage/mock/client';

/** A run as a file: what was done to the provider, when, and what events came of it. */
export interface Scenario {
  readonly format: 'ofage-scenario';
  readonly version: 1;
  readonly name: string;
  readonly description: string;
  /** How long it takes, in the provider's time. */
  readonly durationMs: number;
  /** By time, earliest first. */
  readonly steps: readonly Step[];
  readonly events: readonly ExpectedEvent[];
}

/** A step and when it is taken, in milliseconds of the provider's time since the start. */
export type Step = { readonly atMs: number } & Action;

export type Action =
  | {
      readonly do: 'create';
      /** The session's name in this file. */
      readonly session: string;
      readonly options: SessionOptions;
      /** The call is made, and is not meant to lead to a session. @default false */
      readonly fails?: boolean;
    }
  /** An image that is not usable, the retry after it, and what the shop's server asks. */
  | { readonly do: 'poor_image' | 'retry' | 'validate'; readonly session: string }
  | { readonly do: 'settle'; readonly session: string; readonly outcome: ScenarioName }
  /** How the webhook endpoint answers from now on; `ok` at the start. */
  | { readonly do: 'answer'; readonly with: Answer }
  | {
      readonly do: 'fault';
      readonly operation: 'create' | 'validate';
      readonly fault: Fault;
      readonly count: number;
    }
  /** The dashboard's buttons: Test and resume, Redeliver. */
  | { readonly do: 'resume' | 'redeliver' };

export interface SessionOptions {
  readonly returnUrl: string;
  readonly cancelUrl?: string;
  readonly externalUserId?: string;
  readonly merchantName?: string;
  readonly verificationMode?: 'L1' | 'L2';
  readonly challengeAge?: number;
  readonly faceMatchEnabled?: boolean;
}

export interface ExpectedEvent {
  readonly session: string;
  readonly event: EventKind;
  readonly atMs: number;
  /** What the payload gives as the reason; null when it gives none. */
  readonly reason: string | null;
  /** What became of its delivery; null when it was not to be delivered. */
  readonly delivery: DeliveryEnd | null;
}

export const ANSWERS = [
  'ok',
  'unauthorized',
  'gone',
  'server_error',
  'too_many',
  'hang',
  'reset',
] as const;
export type Answer = (typeof ANSWERS)[number];

export const FAULTS = ['429', '500', '503', 'malformed'] as const;
export type Fault = (typeof FAULTS)[number];

const DELIVERY_ENDS = ['pending', 'delivered', 'undelivered', 'cancelled'] as const;
export type DeliveryEnd = (typeof DELIVERY_ENDS)[number];

const FORMAT = 'ofage-scenario';
const VERSION = 1;
/** Thirty days: longer than anything that the provider still remembers. */
export const MAX_DURATION_MS = 30 * 86_400_000;
const MAX_STEPS = 10_000;

/** The file's text. */
export function toScenarioText(scenario: Scenario): string {
  return `${JSON.stringify(scenario, null, 2)}\n`;
}

/** @throws Error with one sentence, which names the place */
export function parseScenario(text: string): Scenario {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error('Cannot load the scenario: the file is not JSON', { cause });
  }
  const top = record(content, 'the file');
  if (top['format'] !== FORMAT) refuse(`format must be "${FORMAT}", got ${show(top['format'])}`);
  if (top['version'] !== VERSION) {
    refuse(
      `version must be ${VERSION}, which is what this page reads, got ${show(top['version'])}`,
    );
  }
  const names = ['format', 'version', 'name', 'description', 'durationMs', 'steps', 'events'];
  only(top, names, '');
  const durationMs = integer(top['durationMs'], 'durationMs', 0, MAX_DURATION_MS);
  const steps = list(top['steps'], 'steps', MAX_STEPS).map(parseStep);
  const created = checkOrder(steps, durationMs);
  const events = list(top['events'], 'events', MAX_STEPS).map((event, index) =>
    parseExpected(event, `events[${index}]`, created),
  );
  return {
    format: FORMAT,
    version: VERSION,
    name: words(top['name'], 'name'),
    description: words(top['description'], 'description', 0),
    durationMs,
    steps,
    events,
  };
}

/** @returns the sessions that there are in the end */
function checkOrder(steps: readonly Step[], durationMs: number): ReadonlySet<string> {
  const created = new Set<string>();
  const named = new Set<string>();
  let latestMs = 0;
  for (const [index, step] of steps.entries()) {
    const at = `steps[${index}]`;
    if (step.atMs < latestMs) {
      refuse(
        `${at}.atMs must not be before the step in front of it, at ${latestMs}, got ${step.atMs}`,
      );
    }
    latestMs = step.atMs;
    if (step.do === 'create') {
      if (named.has(step.session)) refuse(`${at}.session is created twice: ${show(step.session)}`);
      named.add(step.session);
      if (!step.fails) created.add(step.session);
    } else if ('session' in step && !created.has(step.session)) {
      refuse(`${at}.session must be created by a step before it, got ${show(step.session)}`);
    }
  }
  if (durationMs < latestMs) {
    refuse(`durationMs must not be before the last step, at ${latestMs}, got ${durationMs}`);
  }
  return created;
}

function parseStep(value: unknown, index: number): Step {
  const at = `steps[${index}]`;
  const step = record(value, at);
  const action = choice(step['do'], `${at}.do`, Object.keys(FIELDS) as (keyof typeof FIELDS)[]);
  only(step, ['atMs', 'do', ...FIELDS[action]], `${at}.`);
  const atMs = integer(step['atMs'], `${at}.atMs`, 0, MAX_DURATION_MS);
  const session = (): string => words(step['session'], `${at}.session`);
  switch (action) {
    case 'create': {
      const options = parseOptions(step['options'], `${at}.options`);
      const fails =
        step['fails'] === undefined ? {} : { fails: flag(step['fails'], `${at}.fails`) };
      return { atMs, do: action, session: session(), options, ...fails };
    }
    case 'settle': {
      const outcome = choice(
        step['outcome'],
        `${at}.outcome`,
        SCENARIOS.map(({ name }) => name),
      );
      return { atMs, do: action, session: session(), outcome };
    }
    case 'poor_image':
    case 'retry':
    case 'validate':
      return { atMs, do: action, session: session() };
    case 'answer':
      return { atMs, do: action, with: choice(step['with'], `${at}.with`, ANSWERS) };
    case 'fault':
      return {
        atMs,
        do: action,
        operation: choice(step['operation'], `${at}.operation`, ['create', 'validate'] as const),
        fault: choice(step['fault'], `${at}.fault`, FAULTS),
        count: integer(step['count'], `${at}.count`, 1, 1_000_000),
      };
    case 'resume':
    case 'redeliver':
      return { atMs, do: action };
  }
}

/** What each step has beside `atMs` and `do`. */
export const FIELDS = {
  create: ['session', 'options', 'fails'],
  poor_image: ['session'],
  retry: ['session'],
  settle: ['session', 'outcome'],
  validate: ['session'],
  answer: ['with'],
  fault: ['operation', 'fault', 'count'],
  resume: [],
  redeliver: [],
} as const satisfies Readonly<Record<Step['do'], readonly string[]>>;

function parseOptions(value: unknown, at: string): SessionOptions {
  const options = record(value, at);
  const texts = ['returnUrl', 'cancelUrl', 'externalUserId', 'merchantName'];
  only(options, [...texts, 'verificationMode', 'challengeAge', 'faceMatchEnabled'], `${at}.`);
  const optional = <Value>(
    name: string,
    parse: (field: unknown, place: string) => Value,
  ): Record<string, Value> =>
    options[name] === undefined ? {} : { [name]: parse(options[name], `${at}.${name}`) };
  return {
    returnUrl: url(options['returnUrl'], `${at}.returnUrl`),
    ...optional('cancelUrl', url),
    ...optional('externalUserId', (field, place) => words(field, place)),
    ...optional('merchantName', (field, place) => words(field, place)),
    ...optional('verificationMode', (field, place) => choice(field, place, ['L1', 'L2'] as const)),
    ...optional('challengeAge', (field, place) => integer(field, place, 25, 99)),
    ...optional('faceMatchEnabled', flag),
  };
}

function parseExpected(value: unknown, at: string, created: ReadonlySet<string>): ExpectedEvent {
  const event = record(value, at);
  only(event, ['session', 'event', 'atMs', 'reason', 'delivery'], `${at}.`);
  const session = words(event['session'], `${at}.session`);
  if (!created.has(session)) {
    refuse(`${at}.session must be created by one of the steps, got ${show(session)}`);
  }
  const { reason, delivery } = event;
  return {
    session,
    event: choice(event['event'], `${at}.event`, EVENT_KINDS),
    atMs: integer(event['atMs'], `${at}.atMs`, 0, MAX_DURATION_MS),
    reason: reason === null ? null : words(reason, `${at}.reason`),
    delivery: delivery === null ? null : choice(delivery, `${at}.delivery`, DELIVERY_ENDS),
  };
}

function record(value: unknown, at: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  return refuse(`${at} must be an object, got ${show(value)}`);
}

function list(value: unknown, at: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) return refuse(`${at} must be an array, got ${show(value)}`);
  if (value.length > max) refuse(`${at} must have at most ${max} elements, got ${value.length}`);
  return value;
}

/** Says which field there is not; a misspelt one would be left out without a word. */
function only(value: Record<string, unknown>, known: readonly string[], at: string): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const name = /^\w+$/.test(unknown) ? unknown : show(unknown);
  refuse(`${at}${name} is not known; there is ${known.join(', ')}`);
}

function words(value: unknown, at: string, min = 1): string {
  if (typeof value === 'string' && value.length >= min) return value;
  return refuse(`${at} must be a ${min > 0 ? 'non-empty ' : ''}string, got ${show(value)}`);
}

function integer(value: unknown, at: string, min: number, max: number): number {
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) {
    // -0 is 0 in the file that is written of it.
    return Number(value) + 0;
  }
  return refuse(`${at} must be an integer from ${min} to ${max}, got ${show(value)}`);
}

function flag(value: unknown, at: string): boolean {
  if (typeof value === 'boolean') return value;
  return refuse(`${at} must be true or false, got ${show(value)}`);
}

function url(value: unknown, at: string): string {
  if (typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value)) return value;
  return refuse(`${at} must be an http or https URL, got ${show(value)}`);
}

function choice<const Value extends string>(
  value: unknown,
  at: string,
  values: readonly Value[],
): Value {
  const found = values.find((one) => one === value);
  return found ?? refuse(`${at} must be one of ${values.join(', ')}, got ${show(value)}`);
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function refuse(reason: string): never {
  throw new Error(`Cannot load the scenario: ${reason}`);
}
