/** Tests changes to the allowed domains that are made faster than the page renders. */
import { expect, it } from 'vitest';
import { changeDomains } from '../../../playground/dashboard/change-domains.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { createMockService } from '../../../mock-server/index.ts';

async function anAccount() {
  const service = createMockService();
  const { tenantId } = await service.ready;
  await service.control.updateTenant(tenantId, { allowedDomains: ['a.example', 'b.example'] });
  const { client } = createProvider(service);
  return {
    tenantId,
    domains: async () => (await service.control.tenant(tenantId)).allowedDomains,
    without: (domain: string) =>
      changeDomains(client, tenantId, (domains) => domains.filter((one) => one !== domain)),
    and: (domain: string) => changeDomains(client, tenantId, (domains) => [...domains, domain]),
  };
}

it('changeDomains() applies each change to the result of the previous one', async () => {
  const { without, and, domains } = await anAccount();
  await Promise.all([without('a.example'), and('c.example'), without('b.example')]);
  expect(await domains()).toEqual(['c.example']);
});

it('changeDomains() keeps the other changes when one is refused', async () => {
  const { without, and, domains } = await anAccount();
  const changes = [without('a.example'), and('https://c.example'), and('d.example')];
  const ends = await Promise.allSettled(changes);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await domains()).toEqual(['b.example', 'd.example']);
});
