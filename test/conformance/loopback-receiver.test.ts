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
