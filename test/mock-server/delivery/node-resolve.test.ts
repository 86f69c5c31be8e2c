import { describe, expect, it } from 'vitest';
import { createNodeResolve } from '../../../mock-server/send/node-sender.ts';
import { closers } from './a-receiver.ts';

describe('createNodeResolve()', () => {
  it('returns no addresses if no DNS server can be reached', async () => {
    // The DNS server is a closed port on this machine, so no query leaves it.
    const resolve = createNodeResolve(['127.0.0.1:9']);
    expect(await resolve('hooks.example.com')).toEqual([]);
  });

  it('stops its queries when the attempt is aborted', async () => {
    const { createSocket } = await import('node:dgram');
    const silent = createSocket('udp4');
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
    closers.push(() => silent.close());
    const attempt = new AbortController();
    let queries = 0;
    const isAskedAgain = new Promise<string>((done) => {
      silent.on('message', () => {
        attempt.abort();
        // There is one query for each address family. More of them mean that the resolver retries.
        if ((queries += 1) > 2) done('asked again');
      });
    });
    const resolve = createNodeResolve([`127.0.0.1:${silent.address().port}`]);
    const stopped = resolve('hooks.example.com', attempt.signal);
    expect(await Promise.race([stopped, isAskedAgain])).toEqual([]);
  });
});
