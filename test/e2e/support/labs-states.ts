/** The states of the labs for axe and for screenshots. */
import { expect, type Page } from '@playwright/test';
import type { Provider } from './provider.ts';

export interface LabsState {
  readonly name: string;
  reach(page: Page, provider: Pick<Provider, 'shop' | 'client'>): Promise<void>;
}

export const labsStates: readonly LabsState[] = [
  { name: 'labs-webhook', reach: openWebhookLab },
  {
    name: 'labs-webhook-paused',
    async reach(page, provider) {
      await openWebhookLab(page, provider);
      await pauseReceiver(page);
    },
  },
  { name: 'labs-popup', reach: openPopupLab },
  {
    name: 'labs-popup-run',
    async reach(page, provider) {
      await openPopupLab(page, provider);
      await page.getByTestId('run-blocked').click();
      await expect(reportOf(page, 'blocked')).toHaveAttribute('data-word', 'rejected');
    },
  },
  { name: 'labs-attack', reach: openAttackLab },
  {
    name: 'labs-attack-run',
    async reach(page, provider) {
      await openAttackLab(page, provider);
      await attack(page, 'tampered-webhook');
      const tampered = page.getByTestId('attack-tampered-webhook');
      await tampered.getByText('Details').click();
      await tampered.getByText('Code that makes the difference').click();
    },
  },
];

type Where = Pick<Provider, 'shop'>;

export async function openWebhookLab(page: Page, { shop }: Where): Promise<void> {
  await openLab(page, `${shop}/labs/#webhook`);
  await expect(page.getByTestId('workbench')).toBeVisible();
}

export async function openPopupLab(page: Page, { shop }: Where): Promise<void> {
  await openLab(page, `${shop}/labs/#popup`);
  await expect(page.getByTestId('popups')).toHaveAttribute('data-ready', 'true');
}

export async function openAttackLab(page: Page, { shop }: Where): Promise<void> {
  await openLab(page, `${shop}/labs/#attack`);
  await expect(page.getByTestId('attacks')).toHaveAttribute('data-ready', 'true');
}

/** Opens a lab with a page load, because a new fragment alone does not reload the page. */
async function openLab(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
}

/** Pauses the receiver's endpoint. Adds the endpoint first if it does not exist. */
export async function pauseReceiver(page: Page): Promise<void> {
  const state = page.getByTestId('endpoint-state');
  await expect(page.getByTestId('add-endpoint').or(state)).toBeVisible();
  if (await page.getByTestId('add-endpoint').isVisible())
    await page.getByTestId('add-endpoint').click();
  await expect(state).toBeVisible();
  await page.getByTestId('behaviour').selectOption('unauthorized');
  await page.getByTestId('trigger').click();
  await expect(state).toContainText('2 failures in a row');
  await page.getByTestId('hour').click();
  await expect(state).toHaveAttribute('data-state', 'paused');
}

/** Runs an attack and waits for its result. */
export async function attack(page: Page, id: string): Promise<void> {
  await page.getByTestId(`run-${id}`).click();
  await expect(page.getByTestId(`attack-${id}`).getByTestId('side-shop')).toBeAttached();
  await expect(page.getByTestId('attacks')).toHaveAttribute('data-ready', 'true');
}

export const reportOf = (page: Page, id: string) =>
  page.getByTestId(`popup-${id}`).getByTestId('sdk-report');
