import { expect, it } from 'vitest';
import { startMockServer } from '../../../mock-server/hosts/node-server.ts';

it('startMockServer() does not change the globals of the process', async () => {
  const { Request, Response, fetch } = globalThis;
  const server = await startMockServer({ port: 0 });
  await fetch(`${server.controlBase}/clock`);
  expect([globalThis.Request, globalThis.Response, globalThis.fetch]).toEqual([
    Request,
    Response,
    fetch,
  ]);
  await server.close();
});
