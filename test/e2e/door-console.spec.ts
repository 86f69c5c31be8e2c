/** The public address of the mock in the console and the labs, and behind each kind of proxy. */
import { expect } from '@playwright/test';
import { PROXY_KINDS, type ProxyKind, startTlsProxy } from '../support/tls-proxy.ts';
import { handOff } from './door-journeys.ts';
import { MOCK } from './support/door.ts';
import { createSession } from './support/hosted-session.ts';
import { doorTest as test } from './support/door-test.ts';
import { readQrCode } from './support/read-qr-code.ts';
import { openPopupLab, reportOf } from './support/labs-states.ts';
import { playwrightTab } from './support/tab.ts';

// One worker, so that the first test meets a mock that no request has reached.
test.describe.configure({ mode: 'default' });

test('the console says that no request has arrived, and shows the code of the newest session', async ({
  openComputer,
  openPhone,
  door,
}) => {
  const page = await openComputer();
  await page.goto(`${door.shop}/console/`);
  const panel = page.getByTestId('public-address');
  await expect(panel).toContainText(`${door.publicUrl} leads to port ${door.publicPort}`);
  const lastRequest = page.getByTestId('last-request');
  await expect(lastRequest).toHaveText(
    `Nothing has arrived yet: does the tunnel lead to port ${door.publicPort}?`,
  );
  await expect(panel).toContainText('No session is pending');
  await createSession(door);
  const link = await readQrCode(page);
  expect(link).toContain(`${door.publicUrl}/verify/?sessionId=`);
  expect(link).toBe(await page.getByTestId('handoff-link').getAttribute('href'));
  const phone = await openPhone('iPhone 15');
  await phone.goto(link);
  await expect(phone.getByTestId('start')).toBeVisible();
  await expect(lastRequest).toHaveText(/^The last request arrived (now|\d+ s ago)\.$/);
});

test('the hosted page shows the code as in production, and no other pages', async ({
  openComputer,
  door,
}) => {
  const page = await openComputer();
  await createSession(door);
  const { handoffUrl } = await door.client.publicAddress();
  await page.goto(handoffUrl ?? '');
  await expect(page.getByTestId('start')).toBeVisible();
  for (const path of ['/console/', '/control/v1/state', '/labs/', '/docs/', '/openapi.json']) {
    expect((await page.goto(door.publicUrl + path))?.status(), path).toBe(404);
  }
});

test('popup lab: the page with COOP leads to the hosted page of this computer', async ({
  openComputer,
  door,
}) => {
  const page = await openComputer();
  await openPopupLab(page, door);
  await page.getByTestId('run-coop').click();
  const report = reportOf(page, 'coop');
  await expect(report).not.toHaveAttribute('data-word', '', { timeout: 30_000 });
  await expect(page.getByTestId('popup-coop').getByTestId('verdict')).toHaveText('as expected');
});

for (const kind of Object.keys(PROXY_KINDS) as ProxyKind[]) {
  test(`a hand-off through a proxy that ${kind}`, async ({ openComputer, openPhone, door }) => {
    const proxy = await startTlsProxy(kind, { [MOCK]: door.publicPort });
    try {
      const phone = await openPhone('Pixel 7', proxy.port);
      await handOff(playwrightTab(await openComputer(proxy.port)), playwrightTab(phone), door);
    } finally {
      proxy.stop();
    }
  });
}
