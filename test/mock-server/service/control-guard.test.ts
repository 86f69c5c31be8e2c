import { describe, expect, it } from 'vitest';
import { controlOperations } from '../../../mock-server/service/http/control.ts';
import { aMock } from '../../support/a-mock.ts';
import { jsonHeaders } from '../../support/api.ts';

const HERE = 'http://127.0.0.1:4010';

type Headers = Record<string, string>;

/** Sends each operation of the control API, with these headers. */
const callsOf = (url: string, headers: Headers, id: string): Request[] =>
  controlOperations.map(
    ({ method, path, example }) =>
      new Request(url + path.replace('{id}', id), {
        method: method.toUpperCase(),
        headers: { ...jsonHeaders(), ...headers },
        ...(method !== 'get' && { body: JSON.stringify(example ?? {}) }),
      }),
  );

describe('every operation of the control API rejects', () => {
  it.each<[why: string, url: string, headers: Headers]>([
    [
      'a name that resolves to this computer (DNS rebinding)',
      'http://rebound.evil.example:4010',
      {},
    ],
    ['a rebound name in the Host header only', HERE, { host: 'rebound.evil.example:4010' }],
    ['a fetch from a foreign page', HERE, { origin: 'https://evil.example' }],
    ['a sandboxed frame or a redirected form, whose origin is null', HERE, { origin: 'null' }],
    ['a page whose origin looks like ours', HERE, { origin: 'http://localhost.evil.example' }],
    ...['capacitor', 'ionic', 'evil', 'chrome-extension', 'file', 'ws'].map(
      (scheme): [string, string, Headers] => [
        `an app or an extension whose origin is ${scheme}://localhost`,
        HERE,
        { origin: `${scheme}://localhost` },
      ],
    ),
    [
      'another scheme with the host of the API',
      'https://api.ofage.example',
      { origin: 'evil://api.ofage.example' },
    ],
    ['a lookalike of localhost', 'http://localhost.evil.example', {}],
    [
      'an image, script or link, which sends no Origin header',
      HERE,
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ],
  ])('%s, and changes nothing', async (_why, url, headers) => {
    const { service, control, tenantId } = await aMock();
    const before = await control.snapshot();
    for (const call of callsOf(url, headers, tenantId)) {
      const response = await service.fetch(call);
      expect(response.status, call.url).toBe(403);
      expect(await response.json()).toMatchObject({
        message: 'The control API accepts requests from this computer only',
      });
      // A readable response would reveal to every page that a mock runs here.
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('timing-allow-origin')).toBeNull();
    }
    expect(await control.snapshot()).toEqual(before);
  });

  it('a preflight of a foreign page', async () => {
    const { service } = await aMock();
    const response = await service.fetch(
      new Request(`${HERE}/control/v1/faults`, {
        method: 'OPTIONS',
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    );
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-methods')).toBeNull();
  });
});

describe('the control API accepts', () => {
  it.each<[why: string, url: string, headers: Headers]>([
    ['a program on this computer', HERE, {}],
    ['localhost by name', 'http://localhost:4010', {}],
    ['IPv6', 'http://[::1]:4010', {}],
    ['a page under MSW, which intercepts requests to this origin', 'https://api.ofage.example', {}],
    ['a matching Host', 'http://localhost:4010', { host: 'localhost:4010' }],
    ...['http://localhost:5173', 'http://127.0.0.1:4010', 'http://[::1]:3000'].map(
      (origin): [string, string, Headers] => [
        `a page at ${origin}, even if the browser calls it cross-site`,
        HERE,
        { origin, 'sec-fetch-site': 'cross-site' },
      ],
    ),
  ])('%s', async (_why, url, headers) => {
    const { service } = await aMock();
    const response = await service.fetch(new Request(`${url}/control/v1/state`, { headers }));
    expect(response.status).toBe(200);
    const { origin = null } = headers as { origin?: string };
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  });
});
