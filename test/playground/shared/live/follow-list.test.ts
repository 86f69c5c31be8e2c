import { signal } from '@preact/signals';
import { createMockService } from 'ofage/mock';
import { expect, it, vi } from 'vitest';
import { followList } from '../../../../playground/shared/live/follow-list.ts';
import * as sources from '../../../../playground/shared/live/sources.ts';
import { createProvider } from '../../../../playground/shared/provider.ts';

it('followList() follows the list of the currently selected source', async () => {
  const service = createMockService({ clock: { frozen: true } });
  const asked: string[] = [];
  const { live } = createProvider({
    apiOrigin: service.apiOrigin,
    fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/webhook-endpoints')) asked.push(pathname.split('/').at(-2) ?? '');
      return service.fetch(request);
    },
  });
  const { tenantId: one } = await service.ready;
  const { id: two } = await service.control.createTenant();
  const url = 'https://shop.example/hook';
  const first = await service.control.createEndpoint(one, { url });
  const second = await service.control.createEndpoint(two, { url });

  const chosen = signal<{ tenantId: string } | null>(null);
  const followed = followList(live, () => chosen.value && sources.endpoints(chosen.value.tenantId));
  const ids = () => followed.data.value?.map(({ id }) => id) ?? null;
  expect(ids()).toBeNull();

  chosen.value = { tenantId: one };
  await vi.waitFor(() => expect(ids()).toEqual([first.id]));
  chosen.value = { tenantId: two };
  // The items of the previous source are not shown.
  expect(ids()).toBeNull();
  await vi.waitFor(() => expect(ids()).toEqual([second.id]));
  // An equal source in another object is not read again.
  const reads = asked.length;
  chosen.value = { tenantId: two };
  expect(ids()).toEqual([second.id]);
  const third = await service.control.createEndpoint(two, { url: `${url}/other` });
  await vi.waitFor(() => expect(ids()).toEqual([second.id, third.id]));
  expect(asked).toHaveLength(reads);

  chosen.value = null;
  expect(ids()).toBeNull();
  followed.close();
  await service.close();
});
