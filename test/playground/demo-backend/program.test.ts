import { expect, it } from 'vitest';
import { openLab } from '../labs/a-lab.ts';

it('the demo backend rejects the webhooks of the shop while its receiver is set to refuse', async () => {
  const { service, demo, shop } = await openLab();
  const refuse = async (refuses: boolean): Promise<unknown> =>
    (await shop('receiver', { method: 'PUT', body: JSON.stringify({ refuses }) })).json();
  const statusOfLast = async (): Promise<string | undefined> =>
    (await service.control.deliveries()).at(-1)?.status;
  expect(await (await shop('receiver')).json()).toEqual({ refuses: false });

  expect(await refuse(true)).toEqual({ refuses: true });
  await service.control.trigger({ name: 'cancelled', tenantId: demo.tenantId });
  await service.clock.advance(0);
  expect(await statusOfLast()).toBe('pending');

  expect(await refuse(false)).toEqual({ refuses: false });
  await service.clock.advance(5_000);
  expect(await statusOfLast()).toBe('delivered');
});

it.each(['no JSON', '{}', '{"refuses":"yes"}', '[true]'])(
  'the demo backend rejects the invalid setting %j of its receiver and keeps the previous one',
  async (body) => {
    const { shop } = await openLab();
    await shop('receiver', { method: 'PUT', body: '{"refuses":true}' });
    const refused = await shop('receiver', { method: 'PUT', body });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      message: 'The body must be {"refuses": true} or {"refuses": false}',
    });
    expect(await (await shop('receiver')).json()).toEqual({ refuses: true });
  },
);
