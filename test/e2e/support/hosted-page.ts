/** The actions of a shopper on the hosted page. */
import { expect, type Page } from '@playwright/test';
import { isFaceEnoughFor, isLastStep, stepsFor } from '../../../playground/verify/steps.ts';

/** The verification settings of a session. */
export type Check = Parameters<typeof stepsFor>[0];

const L1: Check = { verificationMode: 'L1', faceMatchEnabled: true };

/** Starts the verification, selects this outcome in the sandbox, and takes the pictures. */
export async function passThrough(page: Page, scenario: string, check = L1): Promise<void> {
  await page.getByTestId('start').click();
  await page.getByTestId('outcome').selectOption(scenario);
  await takePictures(page, scenario, check);
}

/** Takes every picture that the outcome requires, and retakes unusable ones. */
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

/** Takes one picture, with or without a camera. */
export async function takePicture(page: Page, step: string): Promise<void> {
  await page.locator(`main[data-view=capture][data-step=${step}]`).waitFor();
  // Waits for the camera, because a click before its response continues without a camera.
  const answers = ['live', 'problem', 'simulated'].map((state) => `[data-camera=${state}]`);
  await page.locator(`[data-testid=camera]:is(${answers.join()})`).waitFor();
  await clickAndLeave(page, 'capture');
}

/** Closes the result. A failure stays on screen for 12 seconds otherwise. */
export async function closeResult(page: Page): Promise<void> {
  await clickAndLeave(page, 'back');
}

export async function cancel(page: Page): Promise<void> {
  await expect(page.getByTestId('start')).toBeVisible();
  await clickAndLeave(page, 'cancel');
}

/** Clicks a button after which the window may close before the driver confirms the click. */
async function clickAndLeave(page: Page, testId: string): Promise<void> {
  const click = page.getByTestId(testId).click({ noWaitAfter: true });
  await click.catch((error: unknown) => {
    if (!page.isClosed()) throw error;
  });
}
