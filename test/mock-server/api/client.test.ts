import type { MockService } from 'ofage-mock';
import {
  ControlError,
  createControlClient,
  type ControlCall,
  type ControlClient,
} from 'ofage-mock/client';
import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  CLOCK_OPERATIONS,
  CONTROL_OPERATIONS,
  type RoutedOperation,
} from '../../../mock-server/service/operations/table.ts';
import { aMock, HOOK, ORIGIN as BASE } from '../../support/a-mock.ts';
import { createRows } from '../service/rows-of-every-kind.ts';

let service: MockService;
let client: ControlClient;
beforeEach(async () => {
  ({ service } = await aMock({ endpoints: [{ url: HOOK }] }));
  client = createControlClient({
    baseUrl: BASE,
    fetch: (url, init) => service.fetch(new Request(url, init)),
  });
});

type Method = (...args: unknown[]) => Promise<unknown>;

describe('every method of the client returns a valid value, and every read returns the same value as in process', () => {
  it.each([
    ...Object.entries(CONTROL_OPERATIONS).map((row) => ['control', ...row] as const),
    ...Object.entries(CLOCK_OPERATIONS).map((row) => ['clock', ...row] as const),
  ])('%s.%s()', async (object, name, operation) => {
    const args = await argumentsOf(operation);
    const over = (object === 'clock' ? client.clock : client) as unknown as Record<string, Method>;
    const within = service[object] as unknown as Record<string, Method>;
    const result = await over[name]?.(...args);
    if (operation.response === null) expect(result).toBeUndefined();
    else expect(v.safeParse(operation.response, result).issues).toBeUndefined();
    // A change cannot be made twice with the same result.
    if (operation.route.method === 'GET') expect(await within[name]?.(...args)).toEqual(result);
  });

  /** Returns the arguments of an operation: an id and the example. */
  async function argumentsOf({ route, idOf, example, uncheckedBody }: RoutedOperation) {
    const ids = await createRows(service);
    const body =
      uncheckedBody && !example
        ? await service.control.snapshot()
        : example && JSON.parse(JSON.stringify(example).replace('<sessionId>', ids.session));
    return [
      ...(idOf ? [ids[idOf]] : []),
      ...(body ? [route.field === undefined ? body : body[route.field]] : []),
    ];
  }
});

describe('the client', () => {
  it.each([
    [BASE, 'an origin'],
    [`${BASE}/`, 'an origin with a slash'],
    [`${BASE}/control/v1`, 'the control base that the mock prints'],
    [`${BASE}/control/v1/`, 'the control base with a slash'],
  ])('accepts %s: %s', async (baseUrl) => {
    const asked: string[] = [];
    const one = createControlClient({
      baseUrl,
      async fetch(url) {
        asked.push(url);
        return Response.json({ items: [] });
      },
    });
    expect(await one.sessions({ tenantId: 'a b', limit: 2 })).toEqual([]);
    expect(asked).toEqual([`${BASE}/control/v1/sessions?tenantId=a+b&limit=2`]);
    expect(one.origin).toBe(BASE);
  });

  it('escapes ids in paths', async () => {
    await expect(client.session('../state?x')).rejects.toMatchObject({ status: 404 });
  });

  it('asks the live stream for topics', async () => {
    const asked: unknown[] = [];
    const one = createControlClient({
      baseUrl: BASE,
      fetch: (url) => {
        asked.push(url);
        return Promise.resolve(new Response());
      },
    });
    await one.stream({ topics: ['session', 'clock'] });
    expect(asked).toEqual([`${BASE}/control/v1/stream?topics=session%2Cclock`]);
  });

  it('passes on a ControlError of the custom fetch unchanged', async () => {
    const late = new ControlError('unreachable', null, ['No answer within 10 seconds']);
    const slow = createControlClient({ fetch: () => Promise.reject(late) });
    await expect(slow.state()).rejects.toBe(late);
  });
});

describe('the around option', () => {
  it('receives the method and its arguments, and can replace the resolved value', async () => {
    const calls: ControlCall[] = [];
    const watched = createControlClient({
      fetch: (url, init) => service.fetch(new Request(url, init)),
      around: async (call, send) => {
        calls.push(call);
        return call.name === 'tenant' ? { name: 'Wine' } : send();
      },
    });
    const { tenantId } = await service.ready;
    expect(await watched.tenant(tenantId)).toEqual({ name: 'Wine' });
    await watched.queueNextOutcomes(tenantId, ['verified']);
    await watched.clock.advance(5);
    expect(await watched.pages.sessions({ limit: 2 })).toEqual({ items: [], next: null });
    expect(calls).toEqual([
      { name: 'tenant', args: [tenantId], isChange: false },
      { name: 'queueNextOutcomes', args: [tenantId, ['verified']], isChange: true },
      { name: 'clock.advance', args: [5], isChange: true },
      { name: 'sessions', args: [{ limit: 2 }], isChange: false },
    ]);
  });

  it('can abort a call', async () => {
    const stop = new AbortController();
    const slow = createControlClient({
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal))),
      around: (_call, send) => send(stop.signal),
    });
    const call = slow.state();
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: 'unreachable', cause: stop.signal });
  });
});

describe('a call that fails rejects with a ControlError', () => {
  it('with every message of an error response', async () => {
    const input = { policy: { challengeAge: 1, verificationMode: 'L3' as 'L1' } };
    const sentences = [
      'policy.verificationMode must be one of the following values: L1, L2',
      'policy.challengeAge must not be less than 25',
    ];
    const error = await client.createTenant(input).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ControlError);
    expect(error).toMatchObject({ code: 'refused', status: 400, sentences });
    // The in-process method rejects with the same message.
    await expect(service.control.createTenant(input)).rejects.toThrow((error as Error).message);
  });

  it('if nothing listens at the URL', async () => {
    const cause = new TypeError('fetch failed');
    const dead = createControlClient({ fetch: () => Promise.reject(cause) });
    await expect(dead.clock.read()).rejects.toMatchObject({
      code: 'unreachable',
      status: null,
      message: 'Cannot reach the mock at http://127.0.0.1:4010: is it running?',
      cause,
    });
  });

  it.each([
    [404, '<h1>Not found</h1>'],
    [404, '{"message":"Not found"}'],
    [200, '<h1>Hello</h1>'],
  ])('if the server is not a mock and responds with %i %s', async (status, body) => {
    const other = createControlClient({
      fetch: () => Promise.resolve(new Response(body, { status })),
    });
    await expect(other.state()).rejects.toMatchObject({
      code: 'not_a_mock',
      status,
      message: `Cannot use the response: the server at http://127.0.0.1:4010 is not a mock of this version (${status})`,
    });
  });
});
