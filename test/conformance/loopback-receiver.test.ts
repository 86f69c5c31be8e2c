import { expect, it, onTestFinished } from 'vitest';
import { createLoopbackReceiver } from '../../mock-server/conformance/loopback-receiver.ts';
import { sendRaw } from '../support/raw-socket.ts';

it('the receiver of the kit ends a request whose body is larger than any webhook', async () => {
  const receiver = await createLoopbackReceiver();
  const sizes: number[] = [];
  const stop = await receiver.listen(async ({ bytes }) => {
    sizes.push(bytes.byteLength);
    return { status: 204 };
  });
  onTestFinished(stop);
  const port = Number(new URL(receiver.url).port);
  const post = (size: number) =>
    sendRaw(
      port,
      `POST /check-1 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`,
      { answers: 1 },
    );
  expect((await post(200_000)).statuses).toEqual([204]);
  expect((await post(3_000_000)).statuses).toEqual([]);
  await post(200_000);
  expect(sizes).toEqual([200_000, 200_000]);
});

it('a webhook that a check cannot answer gets no response', async () => {
  const receiver = await createLoopbackReceiver();
  const stop = await receiver.listen(() => Promise.reject(new Error('The check has ended')));
  const signal = AbortSignal.timeout(5_000);
  const sending = fetch(receiver.url, { method: 'POST', body: '{}', signal });
  await expect(sending).rejects.toThrow('fetch failed');
  await stop();
});

it('the receiver passes a webhook on as it is, and returns the response of the check', async () => {
  const receiver = await createLoopbackReceiver();
  const seen: unknown[] = [];
  const stop = await receiver.listen(async ({ url, headers, bytes }) => {
    seen.push([url, headers.get('x-ofage-signature'), new TextDecoder().decode(bytes)]);
    return { status: 429, headers: { 'retry-after': '7' } };
  });
  onTestFinished(stop);
  const urls = [`${receiver.url}/check-1?a=%20b`, `${receiver.otherUrl}/check-2`];
  for (const url of urls) {
    const headers = { 'x-ofage-signature': 'sha256=ab' };
    const response = await fetch(url, { method: 'POST', headers, body: '{"ü":1}' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
  }
  expect(seen).toEqual([
    ['/check-1?a=%20b', 'sha256=ab', '{"ü":1}'],
    ['/check-2', 'sha256=ab', '{"ü":1}'],
  ]);
});

it('a receiver with a public address has no other one', async () => {
  const receiver = await createLoopbackReceiver('https://tunnel.example');
  onTestFinished(await receiver.listen(async () => ({ status: 204 })));
  expect([receiver.url, receiver.otherUrl]).toEqual(['https://tunnel.example', undefined]);
});
