// @vitest-environment jsdom
/** The details of an entry of the timeline. */
import type { AttemptResource, RequestResource } from 'ofage-mock';
import { expect, it } from 'vitest';
import { toHash } from '../../../playground/console/route.ts';
import type { Entry } from '../../../playground/console/timeline/entry.ts';
import { EntryList } from '../../../playground/console/timeline/entry-row.tsx';
import {
  toDeliveryEntries,
  toRequestEntry,
} from '../../../playground/console/timeline/to-entries.ts';
import { aMock, answered, HOOK } from '../../support/a-mock.ts';
import { showPage } from '../shared/kit/a-page.tsx';

/** Shows the entries and opens their details. */
async function showDetails(entries: Entry[]): Promise<string> {
  const page = await showPage(
    <EntryList entries={entries} eventOf={() => undefined} href={toHash} />,
  );
  await page.act(() => {
    for (const details of document.querySelectorAll('details')) {
      details.open = true;
      details.dispatchEvent(new Event('toggle'));
    }
  });
  return document.body.textContent;
}

const UNKNOWN = { signature: null, bodySha256: null, httpStatus: null };

it.each<[string, Partial<AttemptResource>, string]>([
  ['an attempt in flight', { outcome: null, ...UNKNOWN }, 'in progress'],
  ['a lost attempt', { outcome: 'lost', ...UNKNOWN }, 'x-ofage-signaturenot known'],
  ['an unsigned attempt', { outcome: 'ok', signature: null }, 'none: the endpoint has no secret'],
])('the signature of %s is described', async (_, change, expected) => {
  const mock = await aMock({ endpoints: [{ url: HOOK, events: ['verification.completed'] }] });
  await mock.control.trigger({ name: 'verified' });
  await mock.clock.advance(0);
  const [delivery] = await mock.control.deliveries();
  const attempts = delivery!.attempts.map((attempt) => ({ ...attempt, ...change }));
  expect(await showDetails(toDeliveryEntries({ ...delivery!, attempts }))).toContain(expected);
});

it('an opened attempt that the server refused says what that means, and links to its endpoint', async () => {
  const mock = await aMock({ answer: () => answered(401) });
  const { id } = await mock.control.createEndpoint(mock.tenantId, {
    url: HOOK,
    secret: 'whsec_of_the_shop',
    events: ['session.started'],
  });
  await mock.create();
  await mock.clock.advance(0);
  const [delivery] = await mock.control.deliveries();
  expect(await showDetails(toDeliveryEntries(delivery!))).toContain(
    "Your server refused it: is the signature checked with this endpoint's secret?",
  );
  expect(document.querySelector('.entry__detail a')?.getAttribute('href')).toBe(`#webhooks/${id}`);
});

it('a request without a stored body says both reasons', async () => {
  const mock = await aMock();
  await mock.create();
  const [request] = await mock.control.requests();
  const withoutBody: RequestResource = { ...request!, requestBody: null };
  expect(await showDetails([toRequestEntry(withoutBody)])).toContain(
    'incomplete, or larger than the limit',
  );
});
