import { STATUS_CODES } from 'node:http';
import type { Check, Kind, Level, Section } from './check.ts';
import type { AccountSettings, Need } from './driver.ts';
import { describeAnswer, toStatusCause, type Answer, type Call } from './exchange.ts';
import { expectMatch, ISO_TIME, show, TEXT } from './matchers.ts';
import { CheckFailure, ensure } from './outcome.ts';
import type { World } from './world.ts';

/** A request and its expected response, from which one or two checks are created. */
export interface Case {
  readonly id: string;
  readonly sentence: string;
  /** @default "must" */
  readonly level?: Level;
  /** @default "safe" */
  readonly kind?: Kind;
  readonly needs?: readonly Need[];
  readonly settings?: AccountSettings;
  /** The parts in which the inputs differ for which the rule must hold, by name. @default one input */
  readonly examples?: Readonly<Record<string, Partial<Case>>>;
  /** Prepares the state and returns the request. Examples may supply it instead. */
  readonly call?: (world: World) => Call | Promise<Call>;
  readonly status: number;
  /** The expected body of a response that is not an error. */
  readonly body?: (world: World, call: Call) => object | Promise<object>;
  /** Expected fields of an error. They add to the default expectations, or replace them. */
  readonly also?: object;
  /** The exact message of an error. */
  readonly message?: string | readonly string[] | ((world: World, call: Call) => string);
  /** The level of the exact message. @default "reading", because the specification rarely names it */
  readonly messageLevel?: Level;
  /** Expected headers. Null means that the header must be absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/**
 * Creates the checks of the cases. A case whose message has a different level than the case itself becomes
 * two checks. The second, with the id `….message`, compares only the message.
 */
export function toChecks(section: Section, prefix: string, cases: readonly Case[]): Check[] {
  return cases.flatMap((row) => {
    const { level = 'must', kind = 'safe', needs = [], settings, examples } = row;
    const { message, messageLevel = 'reading' } = row;
    const main: Omit<Check, 'run'> = {
      id: `${prefix}.${row.id}`,
      section,
      sentence: row.sentence,
      level,
      kind,
      needs,
      ...(settings && { settings }),
      ...(examples && { examples }),
    };
    const isOne = messageLevel === level;
    const run: Check['run'] = async (world, example) => {
      const one = { ...row, ...(example as Partial<Case>) };
      const { call, answer } = await exchange(world, one);
      await expectAnswer(world, one, call, answer);
      if (isOne) expectMessage(world, one, call, answer);
    };
    const hasMessage = [row, ...Object.values(examples ?? {})].some((one) => one.message);
    if (isOne || !hasMessage) return [{ ...main, run }];
    const isText = message !== undefined && typeof message !== 'function';
    const text = isText ? `: ${[message].flat().join('; ')}` : '';
    return [
      { ...main, run },
      {
        ...main,
        id: `${main.id}.message`,
        sentence: `The message names the reason${text}`,
        level: messageLevel,
        async run(world, example) {
          const one = { ...row, ...(example as Partial<Case>) };
          const { call, answer } = await exchange(world, one);
          // The check of the case itself fails for another status.
          if (answer.status !== one.status) world.skip('the response has another status');
          expectMessage(world, one, call, answer);
        },
      },
    ];
  });
}

async function exchange(world: World, row: Case): Promise<{ call: Call; answer: Answer }> {
  if (!row.call) throw new TypeError(`The case ${row.id} has no call`);
  const call = await row.call(world);
  const answer = await (row.status === 429 ? world.sendOnce(call) : world.send(call));
  return { call, answer };
}

async function expectAnswer(world: World, row: Case, call: Call, answer: Answer): Promise<void> {
  expectStatus(answer, row.status);
  if (row.body) {
    expectMatch('the body', answer.json, await row.body(world, call), world.isStrict);
  } else {
    await expectEnvelope(world, call, answer, row.status, row.also);
  }
  expectHeaders(answer, row.headers ?? {});
}

function expectMessage(world: World, { message }: Case, call: Call, answer: Answer): void {
  if (message === undefined) return;
  const expected = typeof message === 'function' ? message(world, call) : message;
  const isSame = JSON.stringify(readMessage(answer)) === JSON.stringify(expected);
  ensure(isSame, `the message ${show(expected)}`, describeAnswer(answer));
}

export function readMessage({ json }: Answer): unknown {
  return ((json ?? {}) as { message?: unknown }).message;
}

/** Returns an example of a case for each of the values, by name. */
export function toExamples<T>(
  values: Readonly<Record<string, T>>,
  toExample: (value: T, name: string) => Partial<Case>,
): Record<string, Partial<Case>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, toExample(value, name)]),
  );
}

export function expectStatus(answer: Answer, status: number): void {
  const cause = toStatusCause(answer, status);
  ensure(answer.status === status, `status ${status}`, describeAnswer(answer), cause);
}

export function expectHeaders(
  { headers }: Answer,
  expected: Readonly<Record<string, string | null>>,
): void {
  for (const [name, value] of Object.entries(expected)) {
    const actual = headers.get(name);
    if (actual === value) continue;
    const phrase = value === null ? `no header ${name}` : `the header ${name}: ${value}`;
    throw new CheckFailure(phrase, actual === null ? `no header ${name}` : `${name}: ${actual}`);
  }
}

/** Checks the fields of an error: its status, its message, the time and the path. */
export async function expectEnvelope(
  world: World,
  call: Call,
  answer: Answer,
  status: number,
  also: object = {},
): Promise<void> {
  const base = call.isFromOrigin ? '' : world.basePath;
  const { message, error } = (answer.json ?? {}) as { message?: unknown; error?: unknown };
  const isList = Array.isArray(message) && message.length > 0;
  const isText = [message].flat().every((one) => typeof one === 'string' && one !== '');
  ensure(
    isText && (isList || !Array.isArray(message)),
    'a message',
    describeAnswer(answer),
    'errors without a message',
  );
  const expected = {
    statusCode: status,
    message,
    timestamp: world.isExact ? world.at(await world.now()) : ISO_TIME,
    path: (base + call.path).replace(/\?.*/, ''),
    // The status text is optional, except in a strict run.
    ...((error !== undefined || world.isStrict) && { error: STATUS_CODES[status] ?? TEXT }),
    ...also,
  };
  expectMatch('the error', answer.json, expected, world.isStrict);
}
