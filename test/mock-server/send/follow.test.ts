import { describe, expect, it, vi } from 'vitest';
import { MAX_REDIRECTS } from '../../../mock-server/rules/webhook-limits.ts';
import {
  follow,
  HopError,
  type HopResponse,
  type WebhookRequest,
} from '../../../mock-server/send/sender.ts';
import { readCases } from '../../support/case-files.ts';
import type { DestinationCase } from './destination-cases.ts';

const PUBLIC = '93.184.216.34';

const toRequest = (url: string, timeoutMs = 15_000): WebhookRequest => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: new TextEncoder().encode('{"event":"session.started"}'),
  timeoutMs,
});
const ok: HopResponse = { status: 204, location: null, retryAfter: null };
const redirect = (status: number, location: string | null): HopResponse => ({
  status,
  location,
  retryAfter: null,
});

/**
 * Creates a network in which the nth look-up resolves to the nth list of addresses, and the nth connection
 * gets the nth response.
 */
function createNetwork(
  answers: readonly string[][],
  responses: readonly HopResponse[],
  allowLoopback = false,
) {
  const resolved: string[] = [];
  const dialled: string[] = [];
  const send = (url: string) =>
    follow(
      toRequest(url),
      {
        allowLoopback,
        resolve: async (host) => {
          resolved.push(host);
          return answers[resolved.length - 1] ?? [];
        },
      },
      async (destination, request, _signal, onAddress) => {
        expect(new TextDecoder().decode(request.body)).toBe('{"event":"session.started"}');
        dialled.push(destination.url);
        onAddress(destination.addresses![0]!);
        return responses[dialled.length - 1] ?? ok;
      },
    );
  return { send, resolved, dialled };
}

const cases = readCases<DestinationCase>('ssrf');

it('follow() does not connect if the signal of the request has already aborted', async () => {
  const request = { ...toRequest('https://8.8.8.8/'), signal: AbortSignal.abort() };
  const sendHop = vi.fn(() => new Promise<HopResponse>(() => {}));
  expect(await follow(request, {}, sendHop)).toMatchObject({ kind: 'failure', error: 'timeout' });
});

describe('follow() on the redirect cases', () => {
  const rows = cases.filter(({ kind }) => kind === 'redirect');
  it.each(rows)('has the result "$expect" for $why ($id)', async (row) => {
    const hops = row.hops!;
    const named = [row.answers!, ...hops.flatMap((hop) => (hop.answers ? [hop.answers] : []))];
    const network = createNetwork(
      named,
      hops.map(({ status, location }) => redirect(status, location)),
    );
    const result = await network.send(row.input);
    if (row.expect === 'allow') {
      expect(result).toMatchObject({ kind: 'response', status: 204, hops: hops.length });
      return;
    }
    // Every hop up to the bad one was dialled, and none after it.
    expect(network.dialled).toHaveLength(hops.length);
    const isFollowed = [301, 302, 307, 308].includes(hops.at(-1)!.status);
    if (!isFollowed)
      expect(result).toMatchObject({ kind: 'response', status: hops.at(-1)!.status });
    else if (row.deliveryClass === 'failure') expect(result.kind).toBe('failure');
    else expect(result.kind).toBe('refused');
  });
});

describe('follow() on names whose addresses change', () => {
  const rows = cases.filter(({ kind }) => kind === 'rebind');
  it.each(rows)('$why ($id)', async (row) => {
    for (const phase of row.phases!) {
      // `dial` is a second DNS lookup in the same attempt. We never do one, so its addresses are not used.
      if (phase.stage === 'dial') continue;
      const network = createNetwork([phase.answers, ['127.0.0.1']], []);
      const result = await network.send(row.input);
      expect(result.kind === 'response' ? 'allow' : 'reject').toBe(phase.expect);
      expect(network.resolved).toHaveLength(1);
      expect(network.dialled).toHaveLength(phase.expect === 'allow' ? 1 : 0);
    }
  });
});

describe('follow()', () => {
  it.each([301, 302, 307, 308])('posts the same bytes again after %i', async (status) => {
    const network = createNetwork(
      [[PUBLIC], ['1.1.1.1']],
      [redirect(status, '//b.example.com/in')],
    );
    expect(await network.send('https://a.example.com/hook')).toEqual({
      kind: 'response',
      status: 204,
      retryAfter: null,
      address: '1.1.1.1',
      hops: 1,
    });
    expect(network.dialled).toEqual(['https://a.example.com/hook', 'https://b.example.com/in']);
  });

  it.each<[string | null, string]>([
    [null, 'no header'],
    ['', 'an empty URL'],
    ['https://u:p@b.example.com/', 'credentials'],
  ])('fails on the Location %j: %s', async (location) => {
    const network = createNetwork([[PUBLIC], [PUBLIC]], [redirect(307, location)]);
    const result = await network.send('https://a.example.com/');
    expect(result).toMatchObject({ kind: 'failure', error: 'bad_redirect' });
  });

  it.each([
    ['http://127.0.0.1:4010/control/v1/reset', 'not_https'],
    ['https://localhost/hook', 'destination_not_public'],
  ])(
    'rejects a redirect from a public receiver to this machine, even if loopback is allowed: %s',
    async (location, error) => {
      const network = createNetwork([[PUBLIC]], [redirect(307, location)], true);
      const result = await network.send('https://a.example.com/');
      expect(result).toEqual({ kind: 'refused', error, address: PUBLIC, hops: 1 });
    },
  );

  it('follows redirects within this machine if loopback is allowed, but never from another machine to it', async () => {
    const there = redirect(307, 'http://localhost:4011/next');
    const stays = createNetwork([], [there], true);
    expect(await stays.send('http://127.0.0.1:4011/')).toMatchObject({ status: 204, hops: 1 });
    const away = redirect(307, 'https://a.example.com/');
    const returns = createNetwork([[PUBLIC]], [away, there], true);
    const result = await returns.send('http://127.0.0.1:4011/');
    expect(result).toEqual({ kind: 'refused', error: 'not_https', address: PUBLIC, hops: 2 });
  });

  it(`follows at most ${MAX_REDIRECTS} redirects`, async () => {
    const answers = Array.from({ length: 9 }, () => [PUBLIC]);
    const hop = (n: number) => redirect(307, `/${n}`);
    const five = createNetwork(answers, [1, 2, 3, 4, 5].map(hop));
    expect(await five.send('https://a.example.com/')).toMatchObject({ status: 204, hops: 5 });
    const six = createNetwork(answers, [1, 2, 3, 4, 5, 6].map(hop));
    expect(await six.send('https://a.example.com/')).toMatchObject({
      kind: 'failure',
      error: 'too_many_redirects',
      hops: 5,
    });
    expect(six.dialled).toHaveLength(6);
  });

  it('returns the error of a failed connection', async () => {
    const rules = { resolve: async () => [PUBLIC] };
    const failing = (cause: unknown) =>
      follow(toRequest('https://a.example.com/'), rules, async () => {
        throw cause;
      });
    expect(await failing(new HopError('tls'))).toMatchObject({ kind: 'failure', error: 'tls' });
    expect(await failing(new HopError('destination_not_public'))).toMatchObject({
      kind: 'refused',
    });
    expect(await failing(new Error('?'))).toMatchObject({ kind: 'failure', error: 'reset' });
  });

  it('times out if a resolver or a connection never responds', async () => {
    const request = toRequest('https://a.example.com/', 20);
    const forever = new Promise<never>(() => {});
    const slowNames = await follow(request, { resolve: () => forever }, async () => ok);
    expect(slowNames).toEqual({ kind: 'failure', error: 'timeout', address: null, hops: 0 });
    const slowReceiver = await follow(request, { resolve: async () => [PUBLIC] }, () => forever);
    expect(slowReceiver).toMatchObject({ kind: 'failure', error: 'timeout' });
  });

  it('applies one time limit to all hops together', async () => {
    let dials = 0;
    let expire = (): void => {};
    const startTimer = vi.fn((_ms: number, fire: () => void) => {
      expire = fire;
      return () => {};
    });
    const result = await follow(
      toRequest('https://a.example.com/', 80),
      { resolve: async () => [PUBLIC] },
      async () => {
        dials += 1;
        if (dials === 3) expire();
        return redirect(307, `/${dials}`);
      },
      startTimer,
    );
    expect(result).toMatchObject({ kind: 'failure', error: 'timeout' });
    expect(dials).toBe(3);
    expect(startTimer).toHaveBeenCalledExactlyOnceWith(80, expect.any(Function));
  });
});
