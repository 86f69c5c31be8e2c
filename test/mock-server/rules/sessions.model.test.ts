import * as fc from 'fast-check';
import { type ScenarioName, SCENARIOS } from 'ofage-mock';
import { expect, it } from 'vitest';
import { NEW_YEAR, openMock } from '../../support/a-mock.ts';
import { RETURN_URL } from '../../support/api.ts';

type Device = 'first' | 'second';

type Command =
  | { do: 'create'; key: number; user: string | null }
  | { do: 'settle'; session: number; scenario: ScenarioName }
  | { do: 'session' | 'leave' | 'cancel' | 'continue' | 'retry'; session: number; device: Device }
  | { do: 'outcome'; session: number; device: Device; scenario: ScenarioName }
  | { do: 'submit'; session: number; device: Device; imageQuality: 'good' | 'poor' }
  | { do: 'queue'; scenario: ScenarioName }
  | { do: 'validate'; session: number; key: number }
  | { do: 'pass'; ms: number }
  | { do: 'key'; key: number; status: 'active' | 'paused' | 'revoked' };

interface ModelSession {
  readonly account: number;
  readonly user: string | null;
  endsAt: number;
  leftAt: number | null;
  readonly preset: string | null;
  readonly open: Set<Device>;
  active: Device;
  retries: number;
  needsRetry: boolean;
  status: string;
  reason: string | null;
  endedAt: number | null;
  used: boolean;
  readonly events: string[];
}

/** A model of the session rules. It keeps the sessions in plain objects, without tables or jobs. */
class Model {
  now = 0;
  readonly keys = ['active', 'active', 'active', 'active'];
  readonly sessions: ModelSession[] = [];
  /** The queued outcomes of the first account. */
  readonly queue: ScenarioName[] = [];

  create(key: number, user: string | null): string {
    if (this.keys[key] === 'revoked') return '401 Invalid API key';
    if (this.keys[key] === 'paused') return '403 API key is paused';
    const publishable = key < 2 ? 0 : 2;
    if (this.keys[publishable] !== 'active') return '503';
    this.sessions.push({
      account: publishable / 2,
      user,
      endsAt: this.now + 600_000,
      leftAt: null,
      preset: this.preset(publishable, user),
      open: new Set(),
      active: 'first',
      retries: 0,
      needsRetry: false,
      status: 'pending',
      reason: null,
      endedAt: null,
      used: false,
      events: ['session.started'],
    });
    return '201';
  }

  preset(account: number, user: string | null): string | null {
    if (user?.startsWith('ofage_test:')) return user.slice('ofage_test:'.length);
    return (account === 0 ? this.queue.shift() : undefined) ?? null;
  }

  /** Handles a request of the hosted page on a device. Returns the session's status or an error. */
  visit(one: ModelSession, step: Extract<Command, { device: Device }>): string {
    if (step.do === 'leave') {
      if (one.status === 'pending') {
        one.open.delete(step.device);
        const [other] = one.open;
        if (other) one.active = other;
        else one.leftAt = this.now;
      }
      return one.status;
    }
    one.leftAt = null;
    if (one.status === 'pending') one.open.add(step.device);
    switch (step.do) {
      case 'session':
        return one.status;
      case 'cancel':
        return this.settle(one, 'cancelled');
      case 'outcome':
        if (one.status === 'pending' && one.active !== step.device) return this.elsewhere(one);
        return this.settle(one, step.scenario);
      case 'continue':
        if (one.status === 'pending') one.active = step.device;
        else if (one.active !== step.device && one.status !== 'expired') return this.over(one);
        return one.status;
      case 'retry':
        if (one.status !== 'pending') return this.over(one);
        if (one.active !== step.device) return this.elsewhere(one);
        if (!one.needsRetry) return 'The last image needs no retry';
        one.needsRetry = false;
        one.retries += 1;
        return one.status;
      case 'submit': {
        if (one.status !== 'pending') return this.over(one);
        if (one.active !== step.device) return this.elsewhere(one);
        if (one.needsRetry) return 'The last image was not usable: retry first';
        const isUsable = step.imageQuality === 'good' && one.preset !== 'failed_image_quality';
        if (isUsable) return this.settle(one, (one.preset ?? 'verified') as ScenarioName);
        if (one.retries === 2) return this.settle(one, 'failed_image_quality');
        one.needsRetry = true;
        return one.status;
      }
    }
  }

  over(one: ModelSession): string {
    return `The session is no longer pending: its status is ${one.status}`;
  }

  elsewhere(one: ModelSession): string {
    return `The session is active on the ${one.active} device. To continue here, call continue on this device`;
  }

  pass(ms: number): void {
    this.now += ms;
    for (const one of this.sessions) {
      if (one.status !== 'pending') continue;
      const goneAt = one.leftAt === null ? Infinity : one.leftAt + 5_000;
      // A leave that would take effect at the deadline is too late as well.
      if (goneAt < one.endsAt && goneAt <= this.now) this.end(one, 'cancelled', goneAt);
      else if (one.endsAt <= this.now) this.end(one, 'expired', one.endsAt);
    }
  }

  end(one: ModelSession, status: string, at: number): void {
    one.status = status;
    one.reason = status === 'cancelled' ? status : null;
    one.endedAt = at;
    one.needsRetry = false;
    const kinds: Record<string, string> = {
      verified: 'verification.completed',
      failed: 'verification.failed',
      cancelled: 'verification.cancelled',
      expired: 'session.timeout',
    };
    one.events.push(kinds[status] ?? status);
  }

  settle(one: ModelSession, name: ScenarioName): string {
    if (one.status !== 'pending') return this.over(one);
    const status = ['verified', 'failed'].find((prefix) => name.startsWith(prefix)) ?? name;
    if (status === 'never') return 'pending';
    if (status === 'timeout') {
      one.endsAt = this.now;
      this.end(one, 'expired', this.now);
    } else {
      this.end(one, status, this.now);
      if (status === 'failed') one.reason = name.slice('failed_'.length);
    }
    return one.status;
  }

  validate(one: ModelSession, key: number): string {
    if (this.keys[key] === 'revoked') return '401 Invalid API key';
    if (key % 2 === 0) return '401 Private API key required for session validation';
    if (this.keys[key] === 'paused') return '403 API key is paused';
    if (one.account !== (key - 1) / 2) return '403 Session does not belong to this tenant';
    if (one.used) return '400 Session has already been used';
    if (this.now >= one.endsAt) return '400 Session has expired';
    if (one.status !== 'pending') one.used = true;
    return `200 ${one.status} ${one.user ?? '-'} ${one.endedAt ?? this.now}`;
  }
}

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

async function play(commands: readonly Command[]): Promise<void> {
  const run = await startRun();
  for (const command of commands) await playCommand(run, command);
  for (const [index, modelled] of run.model.sessions.entries())
    await compareSession(run, modelled, run.made[index]?.id ?? '');
}

/** The service and the model, with the same keys and sessions. */
type Run = Awaited<ReturnType<typeof startRun>>;

async function startRun() {
  const mock = await openMock({ tenant: { rateLimits: { create: 1000, validate: 1000 } } });
  const { control, tenantId } = mock;
  const { id: other } = await control.createTenant();
  const pairs = [...(await control.keyPairs(tenantId)), await control.createKeyPair(other)];
  return {
    ...mock,
    keys: pairs.flatMap(({ publishable, secret }) => [publishable, secret]),
    /** The sessions of the service, in the order of those of the model. */
    made: [] as { id: string; tokens: Record<Device, string> }[],
    model: new Model(),
  };
}

/** Runs a command against the service, and compares its answer with that of the model. */
async function playCommand(run: Run, command: Command): Promise<void> {
  const { clock, control, model, tenantId } = run;
  switch (command.do) {
    case 'pass':
      model.pass(command.ms);
      await clock.advance(command.ms);
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
  const { status, body } = await run.api('create', run.keys[key]?.value ?? '', {
    returnUrl: RETURN_URL,
    externalUserId: user,
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
    const key = run.keys[command.key]?.value ?? '';
    const { status, body } = await run.api('validate', key, { sessionId: real.id });
    const settledMs = Date.parse(body.timestamp ?? '') - NEW_YEAR;
    const text =
      status === 200
        ? `200 ${body.status} ${body.externalUserId ?? '-'} ${settledMs}`
        : `${status} ${body.message}`;
    expect(text).toBe(model.validate(modelled, command.key));
  } else {
    const { body } = await run.hosted(
      command.do,
      real.tokens[command.device],
      toHostedBody(command),
    );
    expect(body.status ?? body.message).toBe(model.visit(modelled, command));
  }
}

function toHostedBody(command: Command): object {
  if (command.do === 'outcome') return { outcome: command.scenario };
  return command.do === 'submit' ? { imageQuality: command.imageQuality } : {};
}

async function compareSession(
  { control }: Run,
  modelled: Model['sessions'][number],
  sessionId: string,
): Promise<void> {
  const real = await control.session(sessionId);
  expect({
    status: real.status,
    reason: real.reason,
    endsAt: Date.parse(real.expiresAt) - NEW_YEAR,
    endedAt: real.settledAt && Date.parse(real.settledAt) - NEW_YEAR,
    used: real.validatedAt !== null,
    retries: real.retries,
    needsRetry: real.needsRetry,
    active: real.activeDevice,
    preset: real.presetOutcome,
    events: (await control.events({ sessionId })).map(({ event }) => event),
  }).toEqual({
    status: modelled.status,
    reason: modelled.reason,
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
  60_000 + RUNS * 60,
);
