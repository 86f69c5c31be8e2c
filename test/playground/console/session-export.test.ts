import { expect, beforeAll, describe, it } from 'vitest';
import type { SessionResource } from 'ofage-mock';
import { readAllSessions } from '../../../playground/console/queries.ts';
import { toCsv } from '../../../playground/console/session-csv.ts';
import { createProvider } from '../../../playground/shared/provider.ts';
import { createMockService } from '../../../mock-server/index.ts';

it('an export has all sessions that match, also those beyond one page of the service', async () => {
  const service = createMockService({ clock: { frozen: true } });
  const { tenantId } = await service.ready;
  const externalUserId = 'Customer-1';
  const count = 1_050;
  for (let n = 0; n < count; n += 1)
    await service.control.trigger({ name: 'never', externalUserId });
  await service.control.trigger({ name: 'never', externalUserId: 'another' });
  const { client } = createProvider(service);
  const found = await readAllSessions(client, { tenantId, text: 'customer-1' });
  expect(new Set(found.map(({ id }) => id)).size).toBe(count);
  expect(found.every((one) => one.externalUserId === externalUserId)).toBe(true);
  await service.close();
});

describe('toCsv', () => {
  /** The sessions, newest first. */
  let sessions: readonly SessionResource[];

  beforeAll(async () => {
    const { control } = createMockService({ clock: { frozen: true } });
    await control.trigger({ name: 'never', externalUserId: 'customer-1' });
    await control.trigger({ name: 'failed_age_not_met', externalUserId: 'customer-2' });
    sessions = await control.sessions();
  });

  it('writes one line for each session, below the names of the columns', () => {
    const [head, ...lines] = toCsv(sessions).trimEnd().split('\r\n');
    expect(head).toMatch(/^id,status,reason,externalUserId,createdAt,/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(new RegExp(`^${sessions[0]!.id},failed,age_not_met,customer-2,2`));
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['@SUM(1)', "'@SUM(1)"],
    ['-1+1', "'-1+1"],
    ['+1', "'+1"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    [null, ''],
  ])('writes %j as %j', (externalUserId, cell) => {
    const csv = toCsv([{ ...sessions[1]!, externalUserId }]);
    expect(csv).toContain(`,pending,,${cell},2`);
  });
});
