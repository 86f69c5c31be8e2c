/** A check on a phone, through the public address of the mock. Every engine runs these journeys. */
import { expect, type TestType } from '@playwright/test';
import { isFaceEnoughFor, isLastStep, stepsFor } from '../../playground/verify/steps.ts';
import type { Door } from './support/door.ts';
import { eventually, type Tab } from './support/tab.ts';

const POLICY = { verificationMode: 'L1', faceMatchEnabled: true } as const;
const id = (testId: string) => `[data-testid=${testId}]`;

const exists = (tab: Tab, css: string) =>
  expect.poll(() => tab.run((found) => document.querySelector(found) !== null, css).catch(String), {
    timeout: 20_000,
  });

/** Takes each picture, on a page that may close at the end. */
async function takePictures(tab: Tab): Promise<void> {
  for (const step of stepsFor(POLICY, isFaceEnoughFor('verified'))) {
    const button = `main[data-view=capture][data-step=${step}] ${id('capture')}:enabled`;
    await exists(tab, button).toBe(true);
    await tab.click(button).catch(async (error: unknown) => {
      if (!(await tab.isClosed())) throw error;
    });
    if (isLastStep(POLICY, 'verified', { step })) return;
  }
}

/** Starts a check in the shop on the computer, and finishes it on the phone. */
export async function handOff(computer: Tab, phone: Tab, door: Door): Promise<void> {
  await computer.goto(`${door.shop}/?mode=popup&autoReturn=true`);
  await exists(computer, '#verify-age:enabled').toBe(true);
  const popup = await computer.popup(() => computer.click('#verify-age'));
  await eventually.url(popup).toContain(`${door.publicUrl}/verify/?sessionId=`);
  await exists(popup, id('handoff')).toBe(true);
  await popup.click(id('handoff'));
  await exists(popup, id('qr')).toBe(true);
  const { handoffUrl } = await door.client.publicAddress();
  await phone.goto(handoffUrl ?? '');
  await exists(phone, id('start')).toBe(true);
  await phone.click(id('start'));
  await exists(popup, 'main[data-view=following]').toBe(true);
  await takePictures(phone);
  await exists(computer, `${id('gate')}[data-open=true]`).toBe(true);
}

/** Starts a check in the merchant's page on the phone. Returns the tab with the hosted page. */
async function verifyOnPhone(phone: Tab, door: Door): Promise<Tab> {
  await phone.goto(door.merchant);
  await exists(phone, '#verify').toBe(true);
  const check = await phone.popup(() => phone.click('#verify'));
  await eventually.url(check).toContain(`${door.publicUrl}/verify/?sessionId=`);
  await exists(check, id('cancel')).toBe(true);
  return check;
}

interface Devices {
  /** A tab of the computer's browser. */
  readonly computer: Tab;
  /** A tab of another browser, as large as a phone and with its user agent. */
  readonly phone: Tab;
  readonly door: Door;
}

export function doorJourneys(test: TestType<Devices, object>): void {
  test('phone: a check that started on the computer ends on the phone', async ({
    computer,
    phone,
    door,
  }) => {
    await handOff(computer, phone, door);
  });

  test('phone: the merchant’s own page gets the result of the tab that it opened', async ({
    phone,
    door,
  }) => {
    const check = await verifyOnPhone(phone, door);
    await takePictures(check);
    await eventually.text(phone, '#result').toBe('verified');
  });

  test('phone: a cancelled check', async ({ phone, door }) => {
    const check = await verifyOnPhone(phone, door);
    await check.clickToClose(id('cancel'));
    await eventually.text(phone, '#result').toBe('cancelled');
  });

  test('phone: a check that nobody finishes expires', async ({ phone, door }) => {
    const check = await verifyOnPhone(phone, door);
    await door.client.clock.advance(601_000);
    await exists(check, `${id('notice')}[data-kind=expired]`).toBe(true);
  });
}
