/** The popup lab in a browser that blocks popups. */
import { expect, type CDPSession } from '@playwright/test';
import { openPopupLab } from './support/labs-states.ts';
import { test } from './support/test.ts';

test('verify() rejects with popup_blocked when it is called too late after the click', async ({
  page,
  provider,
}) => {
  await openPopupLab(page, provider);
  // Each Playwright evaluation counts as a user gesture in the page, so this test uses CDP directly.
  const readReport = createReader(await page.context().newCDPSession(page));
  await page.getByTestId('run-too_late').click();
  await expect
    .poll(readReport, { timeout: 20_000 })
    .toEqual({ word: 'rejected', code: 'popup_blocked', reason: 'no_user_gesture' });
});

function createReader(session: CDPSession): () => Promise<unknown> {
  const css = '[data-testid=popup-too_late] [data-testid=sdk-report]';
  return async () => {
    const { result } = await session.send('Runtime.evaluate', {
      expression: `JSON.stringify(document.querySelector('${css}')?.dataset ?? {})`,
      userGesture: false,
    });
    const { word, code, reason } = JSON.parse(String(result.value));
    return { word, code, reason };
  };
}
