import * as fc from 'fast-check';
import { createMockService, SCENARIOS } from 'ofage/mock';
import { expect, it } from 'vitest';
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

it(
  `sessions match the model in ${RUNS} random runs`,
  async () => {
    await fc.assert(fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 40 }), play), {
      numRuns: RUNS,
    });
  },
  RUNS * 60,
);
