import { expect, it } from 'vitest';
import { openLab } from '../labs/a-lab.ts';

it('the demo backend rejects the webhooks of the shop while its receiver is set to refuse', async () => {
  const { service, demo, shop } = await openLab();
  const refuse = async (refuses: boolean, body = JSON.stringify({ refuses })): Promise<unknown> => {
    const init = { method: 'PUT', body };
    return (await shop('receiver', init)).json();
  };
  const statusOfLast = async (): Promise<string | undefined> =>
    (await service.control.deliveries()).at(-1)?.status;
  expect(await (await shop('receiver')).json()).toEqual({ refuses: false });

  expect(await refuse(true, 'no JSON')).toEqual({ refuses: false });
  expect(await refuse(true)).toEqual({ refuses: true });
  await service.control.trigger({ name: 'cancelled', tenantId: demo.tenantId });
  await service.clock.advance(0);
  expect(await statusOfLast()).toBe('pending');

  expect(await refuse(false)).toEqual({ refuses: false });
  await service.clock.advance(5_000);
  expect(await statusOfLast()).toBe('delivered');
});
