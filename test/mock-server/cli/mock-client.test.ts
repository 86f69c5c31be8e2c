import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createMockClient,
  describeFailure,
  parseMockUrl,
} from '../../../mock-server/cli/mock-client.ts';

describe('parseMockUrl()', () => {
  it.each([
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010', 'an origin'],
    ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010', 'a trailing slash'],
    ['localhost:4010', 'http://localhost:4010', 'no scheme'],
    ['http://127.0.0.1:4010/control/v1', 'http://127.0.0.1:4010', 'the control base'],
    ['http://127.0.0.1:4010/api/v1/', 'http://127.0.0.1:4010', 'the API base'],
    ['http://[::1]:4010', 'http://[::1]:4010', 'an IPv6 address'],
  ])('reads %s as %s: %s', (text, url) => {
    expect(parseMockUrl('--url', text)).toBe(url);
  });

  it.each([
    ['', 'an empty string'],
    ['ftp://localhost', 'an unsupported scheme'],
    ['http://', 'no host'],
    ['http://localhost:4010/elsewhere', 'an unknown path'],
    ['localhost:99999', 'an invalid port'],
  ])('rejects %j: %s', (text) => {
    expect(() => parseMockUrl('OFAGE_MOCK_URL', text)).toThrow(
      `OFAGE_MOCK_URL must be the address of a mock, such as http://127.0.0.1:4010, got "${text}"`,
    );
  });
});

describe('describeFailure()', () => {
  let server: Server | undefined;
  afterEach(() => new Promise((resolve) => (server ? server.close(resolve) : resolve(null))));

  /** Starts a server that is not a mock, and returns its URL. */
  async function startOther(status: number, body: string): Promise<string> {
    server = createServer((_request, response) => response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const failureAt = (url: string): Promise<unknown> =>
    createMockClient(url)
      .clock.read()
      .catch((error: unknown) => describeFailure(error, url));

  it('joins several messages of an error envelope', async () => {
    const url = await startOther(400, '{"statusCode":400,"message":["a is wrong","b too"]}');
    expect(await failureAt(url)).toContain('a is wrong; b too');
  });
});
