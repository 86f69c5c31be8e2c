/** What a shopper does on the hosted page. */
import { expect, type Page } from '@playwright/test';
import { isFaceEnoughFor, isLastStep, stepsFor } from '../../../playground/verify/steps.ts';

/** How a session is checked. */
export type Check = Parameters<typeof stepsFor>[0];

const L1: Check = { verificationMode: 'L1', faceMatchEnabled: true };

/** Goes through the check with the outcome chosen in the sandbox's chooser. */
export async function passThrough(page: Page, scenario: string, check = L1): Promise<void> {
  await page.getByTestId('start').click();
  await page.getByTestId('outcome').selectOption(scenario);
  await takePictures(page, scenario, check);
}

/** Takes every picture that the outcome needs, and those that were not usable again. */
export async function takePictures(page: Page, scenario: string, check = L1): Promise<void> {
  for (const step of stepsFor(check, isFaceEnoughFor(scenario))) {
    await takePicture(page, step);
    if (scenario === 'failed_image_quality') {
      for (let retry = 0; retry < 2; retry += 1) {
        await page.getByTestId('retake').click();
        await takePicture(page, step);
      }
      return;
    }
    if (isLastStep(check, scenario, { step })) return;
  }
}

/** With a camera or without: the button is there in any case. */
export async function takePicture(page: Page, step: string): Promise<void> {
  await page.locator(`main[data-view=capture][data-step=${step}]`).waitFor();
  // A shopper who does not wait for the camera's answer goes on without one.
  const answers = ['live', 'problem', 'simulated'].map((state) => `[data-camera=${state}]`);
  await page.locator(`[data-testid=camera]:is(${answers.join()})`).waitFor();
  // The window may close before the click has been answered.
  await page.getByTestId('capture').click({ noWaitAfter: true });
}

export async function cancel(page: Page): Promise<void> {
  await expect(page.getByTestId('start')).toBeVisible();
  await page.getByTestId('cancel').click({ noWaitAfter: true });
}
