import * as fc from 'fast-check';
import { createMockService, SCENARIOS } from 'ofage/mock';
import { expect, it } from 'vitest';
import { jsonHeaders, RETURN_URL } from '../../support/api.ts';
import { Model, type Command, type Device } from './session-model.ts';

// Runs random sequences of session operations against a model, which states the rules without tables or
// jobs.

const scenario = fc.constantFrom(...SCENARIOS.map(({ name }) => name));
const session = fc.nat({ max: 3 });
const device = fc.constantFrom<Device>('first', 'second');
/** 0 and 1 are the publishable and secret key of one account, 2 and 3 those of a different one. */
const key = fc.nat({ max: 3 });
const ms = fc.constantFrom(0, 1, 4_999, 5_000, 59_999, 299_999, 300_000, 599_999, 600_000);

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    key,
    user: fc.constantFrom(null, 'anna', 'ofage_test:verified', 'ofage_test:failed_image_quality'),
  }),
  fc.record({ do: fc.constant('settle' as const), session, scenario }),
  fc.record({
    do: fc.constantFrom<'session' | 'leave' | 'cancel' | 'continue' | 'retry'>(
      'session',
      'leave',
      'cancel',
      'continue',
      'retry',
    ),
    session,
    device,
  }),
  fc.record({ do: fc.constant('outcome' as const), session, device, scenario }),
  fc.record({
    do: fc.constant('submit' as const),
    session,
    device,
    imageQuality: fc.constantFrom('good' as const, 'poor' as const),
  }),
  fc.record({ do: fc.constant('queue' as const), scenario }),
  fc.record({ do: fc.constant('validate' as const), session, key }),
  fc.record({ do: fc.constant('pass' as const), ms }),
  fc.record({
    do: fc.constant('key' as const),
    key,
    status: fc.constantFrom('active' as const, 'paused' as const, 'revoked' as const),
  }),
);

const RUNS = Number(process.env['MODEL_RUNS'] ?? 300);
const START = Date.UTC(2026, 0, 1);

async function play(commands: readonly Command[]): Promise<void> {
  const run = await startRun();
  for (const command of commands) await playCommand(run, command);
  for (const [index, modelled] of run.model.sessions.entries())
    await compareSession(run, modelled, run.made[index]?.id ?? '');
}

/** The service and the model, with the same keys and sessions. */
type Run = Awaited<ReturnType<typeof startRun>>;

async function startRun() {
  const service = createMockService({
    clock: { now: START, frozen: true },
    tenant: { rateLimits: { create: 1000, validate: 1000 } },
  });
  const { control } = service;
  const { tenantId } = await service.ready;
  const { id: other } = await control.createTenant();
  const pairs = [...(await control.keyPairs(tenantId)), await control.createKeyPair(other)];
  return {
    service,
    control,
    tenantId,
    keys: pairs.flatMap(({ publishable, secret }) => [publishable, secret]),
    /** The sessions of the service, in the order of those of the model. */
    made: [] as { id: string; tokens: Record<Device, string> }[],
    model: new Model(),
  };
}

async function send({ service }: Run, path: string, { token = '', body }: Sent) {
  const response = await service.fetch(
    new Request(`http://localhost${path}`, {
      method: body ? 'POST' : 'GET',
      headers: jsonHeaders(token),
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

interface Sent {
  readonly token: string | undefined;
  readonly body?: object;
}

/** Runs a command against the service, and compares its answer with that of the model. */
async function playCommand(run: Run, command: Command): Promise<void> {
  const { service, control, model, tenantId } = run;
  switch (command.do) {
    case 'pass':
      model.pass(command.ms);
      await service.clock.advance(command.ms);
      return;
    case 'queue':
      model.queue.push(command.scenario);
      await control.queueNextOutcomes(tenantId, [command.scenario]);
      return;
    case 'key':
      return setKey(run, command);
    case 'create':
      return create(run, command);
    default:
      return playOnSession(run, command);
  }
}

type Of<Name extends Command['do']> = Extract<Command, { do: Name }>;

async function setKey({ control, keys, model }: Run, { key, status }: Of<'key'>): Promise<void> {
  // The service refuses to revive a revoked key.
  if (model.keys[key] === 'revoked' && status !== 'revoked') return;
  model.keys[key] = status;
  await control.setKeyStatus(keys[key]?.id ?? '', status);
}

async function create(run: Run, { key, user }: Of<'create'>): Promise<void> {
  const { status, body } = await send(run, '/api/v1/sessions/create', {
    token: run.keys[key]?.value,
    body: { returnUrl: RETURN_URL, externalUserId: user },
  });
  const text = status === 401 || status === 403 ? `${status} ${body.message}` : `${status}`;
  expect(text).toBe(run.model.create(key, user));
  const { sessionId: id = '', sessionToken: first = '', handoffToken: second = '' } = body;
  if (status === 201) run.made.push({ id, tokens: { first, second } });
}

/** Runs a command on one of the sessions, if there is one. */
async function playOnSession(
  run: Run,
  command: Exclude<Command, Of<'pass' | 'queue' | 'key' | 'create'>>,
): Promise<void> {
  const { control, made, model } = run;
  const index = command.session % model.sessions.length;
  const [modelled, real] = [model.sessions[index], made[index]];
  if (!modelled || !real) return;
  if (command.do === 'settle') {
    const answer = await control.settle(real.id, command.scenario).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    expect(answer).toBe(model.settle(modelled, command.scenario));
  } else if (command.do === 'validate') {
    const { status, body } = await send(run, '/api/v1/sessions/validate', {
      token: run.keys[command.key]?.value,
      body: { sessionId: real.id },
    });
    const settledMs = Date.parse(body.timestamp ?? '') - START;
    const text =
      status === 200
        ? `200 ${body.status} ${body.externalUserId ?? '-'} ${settledMs}`
        : `${status} ${body.message}`;
    expect(text).toBe(model.validate(modelled, command.key));
  } else {
    const { body } = await send(run, `/hosted/v1/${command.do}`, {
      token: real.tokens[command.device],
      ...toHostedBody(command),
    });
    expect(body.status ?? body.message).toBe(model.visit(modelled, command));
  }
}

/** Returns the body of a call of the hosted page. `session` is a GET request, so it has none. */
function toHostedBody(command: Command): { body?: object } {
  if (command.do === 'session') return {};
  if (command.do === 'outcome') return { body: { outcome: command.scenario } };
  if (command.do === 'submit') return { body: { imageQuality: command.imageQuality } };
  return { body: {} };
}

async function compareSession(
  { control }: Run,
  modelled: Model['sessions'][number],
  sessionId: string,
): Promise<void> {
  const real = await control.session(sessionId);
  expect({
    status: real.status,
    endsAt: Date.parse(real.expiresAt) - START,
    endedAt: real.settledAt && Date.parse(real.settledAt) - START,
    used: real.validatedAt !== null,
    retries: real.retries,
    needsRetry: real.needsRetry,
    active: real.activeDevice,
    preset: real.presetOutcome,
    events: (await control.events({ sessionId })).map(({ event }) => event),
  }).toEqual({
    status: modelled.status,
    endsAt: modelled.endsAt,
    endedAt: modelled.endedAt,
    used: modelled.used,
    retries: modelled.retries,
    needsRetry: modelled.needsRetry,
    active: modelled.active,
    preset: modelled.preset,
    events: modelled.events,
  });
}

it(
  `sessions match the model in ${RUNS} random runs`,
  async () => {
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), play), {
      numRuns: RUNS,
    });
  },
  RUNS * 60,
);
