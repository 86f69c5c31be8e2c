import * as fc from 'fast-check';
import { createMockService, SCENARIOS, type ScenarioName } from 'ofage/mock';
import { expect, it } from 'vitest';

/**
 * Random lives of sessions, against a model that knows the rules in other words: no tables, jobs or events,
 * only what was done when.
 */

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

const scenario = fc.constantFrom(...SCENARIOS.map(({ name }) => name));
const session = fc.nat({ max: 3 });
const device = fc.constantFrom<Device>('first', 'second');
/** 0 and 1: publishable and secret of one account, 2 and 3: of another. */
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
  endedAt: number | null;
  used: boolean;
  readonly events: string[];
}

class Model {
  now = 0;
  readonly keys = ['active', 'active', 'active', 'active'];
  readonly sessions: ModelSession[] = [];
  /** Of the first account. */
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

  /** What the hosted page on a device asks; says how the session stands, or why not. */
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
        if (!one.needsRetry) return 'There is no image to take again';
        one.needsRetry = false;
        one.retries += 1;
        return one.status;
      case 'submit': {
        if (one.status !== 'pending') return this.over(one);
        if (one.active !== step.device) return this.elsewhere(one);
        if (one.needsRetry) return 'The last image was not usable: a retry comes first';
        const isUsable = step.imageQuality === 'good' && one.preset !== 'failed_image_quality';
        if (isUsable) return this.settle(one, (one.preset ?? 'verified') as ScenarioName);
        if (one.retries === 2) return this.settle(one, 'failed_image_quality');
        one.needsRetry = true;
        return one.status;
      }
    }
  }

  over(one: ModelSession): string {
    return `The session is no longer pending: it is ${one.status}`;
  }

  elsewhere(one: ModelSession): string {
    return `The shopper goes on with the ${one.active} device: continue on this one first`;
  }

  pass(ms: number): void {
    this.now += ms;
    for (const one of this.sessions) {
      if (one.status !== 'pending') continue;
      const goneAt = one.leftAt === null ? Infinity : one.leftAt + 5_000;
      // A farewell that would take effect at the deadline is too late as well.
      if (goneAt < one.endsAt && goneAt <= this.now) this.end(one, 'cancelled', goneAt);
      else if (one.endsAt <= this.now) this.end(one, 'expired', one.endsAt);
    }
  }

  end(one: ModelSession, status: string, at: number): void {
    one.status = status;
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
    const status = name.startsWith('verified')
      ? 'verified'
      : name.startsWith('failed')
        ? 'failed'
        : name;
    if (status === 'never') return 'pending';
    if (status === 'timeout') {
      one.endsAt = this.now;
      this.end(one, 'expired', this.now);
    } else {
      this.end(one, status, this.now);
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

const RUNS = Number(process.env['MODEL_RUNS'] ?? 1_000);
const START = Date.UTC(2026, 0, 1);

async function play(commands: readonly Command[]): Promise<void> {
  const service = createMockService({
    clock: { now: START, frozen: true },
    tenant: { rateLimits: { create: 1000, validate: 1000 } },
  });
  const { control, clock } = service;
  const { tenantId } = await service.ready;
  const { id: other } = await control.createTenant();
  const pairs = [...(await control.keyPairs(tenantId)), await control.createKeyPair(other)];
  const keys = pairs.flatMap(({ publishable, secret }) => [publishable, secret]);
  const made: { id: string; tokens: Record<Device, string> }[] = [];
  const model = new Model();

  const send = async (path: string, token: string, body?: object) => {
    const response = await service.fetch(
      new Request(`http://localhost${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const pick = (index: number) => {
    const n = model.sessions.length === 0 ? -1 : index % model.sessions.length;
    const [modelled, real] = [model.sessions[n], made[n]];
    return modelled && real ? { modelled, real } : undefined;
  };

  for (const step of commands) {
    if (step.do === 'pass') {
      model.pass(step.ms);
      await clock.advance(step.ms);
      continue;
    }
    if (step.do === 'key') {
      const target = keys[step.key];
      if (model.keys[step.key] === 'revoked' && step.status !== 'revoked') continue;
      model.keys[step.key] = step.status;
      await control.setKeyStatus(target?.id ?? '', step.status);
      continue;
    }
    if (step.do === 'queue') {
      model.queue.push(step.scenario);
      await control.queueNextOutcomes(tenantId, [step.scenario]);
      continue;
    }
    if (step.do === 'create') {
      const { status, body } = await send('/api/v1/sessions/create', keys[step.key]?.value ?? '', {
        returnUrl: 'http://localhost/',
        externalUserId: step.user,
      });
      const text = status === 401 || status === 403 ? `${status} ${body.message}` : `${status}`;
      expect(text).toBe(model.create(step.key, step.user));
      const { sessionId: id = '', sessionToken: first = '', handoffToken: second = '' } = body;
      if (status === 201) made.push({ id, tokens: { first, second } });
      continue;
    }
    const found = pick(step.session);
    if (!found) continue;
    const { modelled, real } = found;
    switch (step.do) {
      case 'settle': {
        const answer = await control.settle(real.id, step.scenario).then(
          ({ status }) => status,
          (error: Error) => error.message,
        );
        expect(answer).toBe(model.settle(modelled, step.scenario));
        break;
      }
      case 'validate': {
        const { status, body } = await send(
          '/api/v1/sessions/validate',
          keys[step.key]?.value ?? '',
          { sessionId: real.id },
        );
        const text =
          status === 200
            ? `200 ${body.status} ${body.externalUserId ?? '-'} ${Date.parse(body.timestamp ?? '') - START}`
            : `${status} ${body.message}`;
        expect(text).toBe(model.validate(modelled, step.key));
        break;
      }
      default: {
        const body =
          step.do === 'outcome'
            ? { outcome: step.scenario }
            : step.do === 'submit'
              ? { imageQuality: step.imageQuality }
              : {};
        const answer = await send(
          `/hosted/v1/${step.do}`,
          real.tokens[step.device],
          step.do === 'session' ? undefined : body,
        );
        expect(answer.body.status ?? answer.body.message).toBe(model.visit(modelled, step));
      }
    }
  }

  for (const [index, modelled] of model.sessions.entries()) {
    const sessionId = made[index]?.id ?? '';
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
}

it(`agrees with a model in ${RUNS} random lives of sessions`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), play), {
    numRuns: RUNS,
  });
}, 60_000);
