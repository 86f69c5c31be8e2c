import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  finishRecording,
  noteDelivery,
  noteEndpoint,
  noteFault,
  startNotes,
} from '../../../playground/inspector/recorder.ts';
import { replay } from '../../../playground/inspector/replay.ts';
import { parseScenario, toScenarioText } from '../../../playground/inspector/scenario-file.ts';
import { aProvider } from './a-provider.ts';

let my: ReturnType<typeof aProvider>;
beforeEach(() => {
  my = aProvider();
});
afterEach(() => my.service.close());

const example = (name: string) =>
  parseScenario(
    readFileSync(
      new URL(`../../../playground/inspector/examples/${name}.json`, import.meta.url),
      'utf8',
    ),
  );

describe('a replay', () => {
  it.each(['paused-webhook', 'in-flow-retry', 'expiry'])(
    'of the example %s leads to the events that it names',
    async (name) => {
      const { events, isSame } = await replay(example(name), my);
      expect(events.flatMap(({ differences }) => differences)).toEqual([]);
      expect(isSame).toBe(true);
      expect(events.length).toBeGreaterThan(3);
    },
  );

  it('can be done again and again, in one account of its own', async () => {
    const scenario = example('expiry');
    for (let n = 0; n < 3; n += 1) expect((await replay(scenario, my)).isSame).toBe(true);
    const tenants = await my.service.control.tenants();
    expect(tenants.map(({ name }) => name)).toEqual(['Demo shop', 'Replays']);
    const { tenantId } = await my.service.ready;
    expect(await my.service.control.events({ tenantId })).toEqual([]);
  });

  it('leaves the clock as it was, running or not, and the receiver too', async () => {
    await my.tell('gone');
    await replay(example('expiry'), my);
    expect(await my.service.clock.read()).toMatchObject({ frozen: true });
    await my.service.clock.resume();
    await replay(example('expiry'), my);
    expect(await my.service.clock.read()).toMatchObject({ frozen: false });
    expect(await my.service.control.faults()).toEqual([]);
  });

  it('says what is different', async () => {
    const scenario = example('in-flow-retry');
    const steps = scenario.steps.map((step) =>
      step.do === 'settle' ? { ...step, atMs: 46_000, outcome: 'cancelled' as const } : step,
    );
    const { events, isSame } = await replay({ ...scenario, steps }, my);
    expect(isSame).toBe(false);
    expect(
      events.flatMap(({ session, event, differences }) =>
        differences.map((difference) => `${session} ${event} ${difference}`),
      ),
    ).toEqual([
      'second-try verification.completed did not happen again',
      'second-try verification.cancelled did not happen before',
    ]);
  });

  it('names the step that cannot be taken, and cleans up', async () => {
    const scenario = example('in-flow-retry');
    const steps = scenario.steps.filter(({ do: what }) => what !== 'poor_image');
    await expect(replay({ ...scenario, steps }, my)).rejects.toThrow(
      'Cannot replay step 2, retry: the provider answered 409, There is no image to take again',
    );
    await expect(replay(example('paused-webhook'), { ...my, receiver: null })).rejects.toThrow(
      "Cannot replay: the scenario has webhook steps, and the shop's server is not running",
    );
  });
});

describe('a recording', () => {
  it('is written down so that the same happens again', async () => {
    const { service, provider, tell } = my;
    const { control, clock } = service;
    const { tenantId, secretKey } = await service.ready;
    const [endpoint] = await control.endpoints(tenantId);
    if (!endpoint) throw new Error('there is no endpoint');
    // Before the recording: none of its business.
    await control.trigger({ name: 'verified' });
    await clock.advance(60_000);

    let notes = startNotes((await clock.now()).getTime());
    const post = async (path: string, token: string, body: object): Promise<any> =>
      (
        await provider.fetch(path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json();
    const options = { returnUrl: 'http://localhost/', verificationMode: 'L2', challengeAge: 30 };

    await tell('server_error');
    notes = noteFault(notes, await control.addFault({ operation: 'create', fault: '503' }));
    await post('/api/v1/sessions/create', secretKey, options);
    const first = await post('/api/v1/sessions/create', secretKey, options);
    await clock.advance(30_000);
    await post('/hosted/v1/submit', first.sessionToken, { imageQuality: 'poor' });
    await post('/hosted/v1/retry', first.sessionToken, {});
    await post('/hosted/v1/outcome', first.sessionToken, { outcome: 'verified_after_id' });
    await post('/api/v1/sessions/validate', secretKey, { sessionId: first.sessionId });
    await control.trigger({ name: 'never' });
    // More than a day: the endpoint is paused, and events are lost.
    await clock.advance(26 * 3_600_000);
    const paused = await control.endpoint(endpoint.id);
    expect(paused.health.pausedAt).not.toBeNull();
    await tell('ok');
    await control.resumeEndpoint(endpoint.id);
    notes = noteEndpoint(notes, paused, await control.endpoint(endpoint.id));
    await clock.advance(5_000);
    const before = await control.deliveries();
    await control.redeliver(endpoint.id);
    for (const [index, delivery] of (await control.deliveries()).entries()) {
      notes = noteDelivery(notes, before[index], delivery);
    }
    await clock.advance(60_000);

    const requests = await control.requests();
    const scenario = await finishRecording(provider, notes, 'A long day', requests);
    expect(scenario.steps.map(({ do: what }) => what)).toEqual([
      'answer',
      'fault',
      'create',
      'create',
      'create',
      'poor_image',
      'retry',
      'settle',
      'validate',
      'answer',
      'resume',
      'redeliver',
    ]);
    expect(scenario.steps).toContainEqual({
      atMs: 30_000,
      do: 'settle',
      session: 'session-1',
      outcome: 'verified_after_id',
    });
    expect(scenario.events.map(({ event, delivery }) => `${event} ${delivery}`)).toEqual([
      'session.started delivered',
      'verification.completed delivered',
      'session.started delivered',
      'session.timeout delivered',
    ]);

    // Through the file, and in a provider that has seen nothing of it.
    const file = parseScenario(toScenarioText(scenario));
    expect(file).toEqual(scenario);
    await service.control.reset();
    const { events, isSame } = await replay(file, my);
    expect(
      events.flatMap(({ event, differences }) => differences.map((one) => `${event} ${one}`)),
    ).toEqual([]);
    expect(isSame).toBe(true);
  });

  it('of nothing is a file like any other', async () => {
    const notes = startNotes((await my.service.clock.now()).getTime());
    const scenario = await finishRecording(my.provider, notes, 'Nothing', []);
    expect(scenario).toMatchObject({ durationMs: 0, steps: [], events: [] });
    expect(parseScenario(toScenarioText(scenario))).toEqual(scenario);
  });
});
