import * as fc from 'fast-check';
import { SCENARIOS, type ScenarioName } from 'ofage/mock';
import { expect, it } from 'vitest';
import { aRun, throughFile } from './a-run.ts';

// A property test: replaying a recording of random operations and receiver responses gives the same
// results.

type Command =
  | { do: 'create'; isBrowser: boolean; user: string | null }
  | { do: 'hosted'; action: HostedAction; session: number; isSecond: boolean }
  | { do: 'settle'; session: number; scenario: ScenarioName }
  | { do: 'validate'; session: number }
  | { do: 'trigger'; scenario: ScenarioName }
  | { do: 'queue'; scenario: ScenarioName }
  | { do: 'respond'; answer: number | 'timeout' | 'reset' }
  | { do: 'pass'; ms: number }
  | { do: EndpointAction }
  | { do: 'fault'; operation: 'create' | 'validate' | 'hosted' | 'webhook'; fault: '429' | '500' };

type HostedAction = 'session' | 'heartbeat' | 'submit' | 'poor' | 'retry' | 'cancel' | 'leave';
type EndpointAction = (typeof ENDPOINT_ACTIONS)[number];

const ENDPOINT_ACTIONS = [
  'test',
  'resume',
  'redeliver',
  'rotate',
  'disable',
  'enable',
  'move',
  'another',
  'delete',
  'legacy',
  'keys',
] as const;

const scenario = fc.constantFrom(...SCENARIOS.map(({ name }) => name));
const session = fc.nat({ max: 3 });
const what = <const T extends string>(text: T) => fc.constant(text);

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: what('create'),
      isBrowser: fc.boolean(),
      user: fc.constantFrom(null, 'anna', 'ofage_test:failed_image_quality'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: what('hosted'),
      action: fc.constantFrom<HostedAction>(
        'session',
        'heartbeat',
        'submit',
        'poor',
        'retry',
        'cancel',
        'leave',
      ),
      session,
      isSecond: fc.boolean(),
    }),
  },
  fc.record({ do: what('settle'), session, scenario }),
  { weight: 2, arbitrary: fc.record({ do: what('validate'), session }) },
  fc.record({ do: what('trigger'), scenario }),
  fc.record({ do: what('queue'), scenario }),
  fc.record({
    do: what('respond'),
    answer: fc.constantFrom<number | 'timeout' | 'reset'>(
      200,
      401,
      410,
      429,
      500,
      'timeout',
      'reset',
    ),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      do: what('pass'),
      ms: fc.constantFrom(0, 1, 5_000, 60_000, 599_999, 600_000, 3_600_000, 90_000_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom(...ENDPOINT_ACTIONS) }) },
  fc.record({
    do: what('fault'),
    operation: fc.constantFrom(
      'create' as const,
      'validate' as const,
      'hosted' as const,
      'webhook' as const,
    ),
    fault: fc.constantFrom('429' as const, '500' as const),
  }),
);

type Run = ReturnType<typeof aRun>;

async function act(step: Command, run: Run, made: any[]): Promise<void> {
  const { control, clock, ready } = run.service;
  const { secretKey, publishableKey } = await ready;
  switch (step.do) {
    case 'create': {
      const body = { returnUrl: 'http://localhost/', externalUserId: step.user };
      const answer = await run.api('create', step.isBrowser ? publishableKey : secretKey, body);
      if (answer.status === 201) made.push(answer.body);
      return;
    }
    case 'hosted': {
      const { sessionToken, handoffToken } = made[step.session] ?? {};
      const isPoor = step.action === 'poor';
      const body = isPoor ? { imageQuality: 'poor' } : {};
      await run.hosted(
        isPoor ? 'submit' : step.action,
        step.isSecond ? handoffToken : sessionToken,
        body,
      );
      return;
    }
    case 'settle':
      return void (await control.settle(made[step.session]?.sessionId ?? 'nobody', step.scenario));
    case 'validate':
      return void (await run.api('validate', secretKey, {
        sessionId: made[step.session]?.sessionId ?? 'nobody',
      }));
    case 'trigger':
      return void (await control.trigger({ name: step.scenario }));
    case 'queue':
      return void (await control.queueNextOutcomes((await ready).tenantId, [step.scenario]));
    case 'respond':
      return run.respondWith(step.answer);
    case 'pass':
      return void (await clock.advance(step.ms));
    case 'fault':
      return void (await control.addFault({
        operation: step.operation,
        fault: step.fault,
        count: 2,
      }));
    default:
      return actOnEndpoint(step.do, run);
  }
}

async function actOnEndpoint(action: EndpointAction, { service }: Run): Promise<void> {
  const { control, ready } = service;
  const { tenantId } = await ready;
  const [endpoint] = await control.endpoints(tenantId);
  const id = endpoint?.id ?? 'nobody';
  const actions: Record<EndpointAction, () => Promise<unknown>> = {
    test: () => control.testEndpoint(id),
    resume: () => control.resumeEndpoint(id),
    redeliver: () => control.redeliver(id),
    rotate: () => control.rotateSecret(id),
    disable: () => control.updateEndpoint(id, { enabled: false }),
    enable: () => control.updateEndpoint(id, { enabled: true }),
    move: () => control.updateEndpoint(id, { url: 'https://moved.example/' }),
    another: () => control.createEndpoint(tenantId, { url: 'https://another.example/' }),
    delete: () => control.deleteEndpoint(id),
    legacy: () => control.putLegacyWebhook(tenantId, { url: 'https://legacy.example/' }),
    keys: () => control.createKeyPair(tenantId),
  };
  await actions[action]();
}

it('service.replay() repeats random runs (property)', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 25 }), async (commands) => {
      const run = aRun({ seed: 1 });
      const made: any[] = [];
      // Some operations run before the recording starts. Receiver failures before the start are not part of
      // a recording, so they are left out.
      const before = Math.floor(commands.length / 5);
      for (const step of commands.slice(0, before))
        if (step.do !== 'respond') await act(step, run, made).catch(() => {});
      await run.service.clock.advance(100_000_000);
      made.length = 0;
      const recorder = await run.service.record();
      for (const step of commands.slice(before)) {
        await act(step, run, made).catch(() => {});
        // Waits until everything that is due now has happened, as in a run without overlapping operations.
        await run.service.clock.advance(0);
      }
      const recording = throughFile(await recorder.stop());
      const { differences } = await run.service.replay(recording);
      expect(differences).toEqual([]);
      await run.service.close();
    }),
    { numRuns: 60, seed: 20_260_101 },
  );
});
