import { connect } from 'node:net';
import { createMockService } from 'ofage/mock';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createNodeSender, type Dial } from '../../../mock-server/send/node-sender.ts';
import { startFaultyReceiver, type FaultyReceiver } from '../../support/faulty-receiver.ts';
import { createTestTls, hasOpenssl, type TestTls } from '../../support/tls.ts';

const PUBLIC = '93.184.216.34';

/** Names change their addresses during the test, and the connections are real sockets. */
describe.skipIf(!hasOpenssl())(
  'a name that is rebound to a different address (DNS rebinding)',
  () => {
    let tls: TestTls;
    let shop: FaultyReceiver;
    /** A receiver that stands for any service on this machine, and must not be reached. */
    let inside: FaultyReceiver;
    const dialled: string[] = [];
    let answers: Record<string, string[]>;

    beforeAll(() => {
      tls = createTestTls(['shop.example', 'next.example']);
    });
    beforeEach(async () => {
      shop = await startFaultyReceiver({ tls });
      inside = await startFaultyReceiver({ tls });
      answers = { 'shop.example': [PUBLIC], 'next.example': [PUBLIC] };
      dialled.length = 0;
    });
    afterEach(async () => {
      await shop.close();
      await inside.close();
    });

    /** Connects public addresses to the shop, and all others to `inside`. */
    const dial: Dial = (address, _port, signal) =>
      new Promise((resolve, reject) => {
        dialled.push(address);
        const port = address === PUBLIC ? shop.port : inside.port;
        const socket = connect({ host: '127.0.0.1', port, signal });
        socket.once('error', reject);
        socket.once('connect', () => resolve({ socket, address }));
      });

    async function createScene() {
      const resolve = async (host: string): Promise<string[]> => answers[host] ?? [];
      const service = createMockService({
        clock: { now: Date.UTC(2026, 0, 1), frozen: true },
        resolve,
        sender: createNodeSender({ resolve, dial, ca: tls.ca }),
      });
      const { tenantId } = await service.ready;
      const { control } = service;
      const add = () =>
        control.createEndpoint(tenantId, {
          url: 'https://shop.example/hook',
          events: ['verification.completed'],
        });
      const complete = async () => {
        const { id } = await control.trigger({ name: 'verified' });
        await service.clock.advance(0);
        const [delivery] = await control.deliveries({ sessionId: id });
        return delivery?.attempts[0];
      };
      return { service, control, add, complete };
    }

    it('is rejected when it is configured', async () => {
      for (const bad of [['127.0.0.1'], [PUBLIC, '10.0.0.1'], ['::1'], []]) {
        answers['shop.example'] = bad;
        const { add, service } = await createScene();
        await expect(add()).rejects.toThrow(/public Internet address/);
        await service.close();
      }
      expect(dialled).toEqual([]);
    });

    it('is rejected at the next attempt, before any byte is written', async () => {
      const { add, complete, service } = await createScene();
      await add();
      expect(await complete()).toMatchObject({ outcome: 'ok', httpStatus: 204 });
      const bytes = shop.bytes;
      for (const bad of [
        ['127.0.0.1'],
        ['169.254.169.254'],
        [PUBLIC, '10.0.0.1'],
        ['fd00::1', PUBLIC],
      ]) {
        answers['shop.example'] = bad;
        expect(await complete()).toMatchObject({
          outcome: 'reject',
          error: 'destination_not_public',
          httpStatus: null,
        });
      }
      expect(dialled).toEqual([PUBLIC]);
      expect(shop.bytes).toBe(bytes);
      expect(inside.bytes).toBe(0);
      await service.close();
    });

    it('is rejected as the target of a redirect', async () => {
      const { add, complete, service } = await createScene();
      await add();
      shop.behave({
        kind: 'status',
        status: 307,
        headers: { location: 'https://next.example/hook' },
      });
      answers['next.example'] = ['127.0.0.1'];
      expect(await complete()).toMatchObject({
        outcome: 'reject',
        error: 'destination_not_public',
        hops: 1,
      });
      shop.behave({
        kind: 'status',
        status: 307,
        headers: { location: 'http://next.example/hook' },
      });
      expect(await complete()).toMatchObject({ outcome: 'reject', error: 'not_https' });
      shop.behave({ kind: 'status', status: 307, headers: { location: 'https://127.0.0.1/hook' } });
      expect(await complete()).toMatchObject({
        outcome: 'reject',
        error: 'destination_not_public',
      });
      expect(dialled.every((address) => address === PUBLIC)).toBe(true);
      expect(inside.bytes).toBe(0);
      await service.close();
    });

    it('is rejected without revealing the address or the rule', async () => {
      const { add, complete, control, service } = await createScene();
      const { id } = await add();
      answers['shop.example'] = ['169.254.169.254'];
      await complete();
      const output = JSON.stringify([await control.deliveries(), await control.endpoint(id)]);
      expect(output).not.toMatch(/169\.254|link.local|metadata/i);
      await service.close();
    });
  },
);
