import type { Driver } from '../driver.ts';

/**
 * Creates a driver that asks a person to finish verifications.
 * @param ask Shows a text, and resolves when the person has done it.
 */
export function createInteractiveDriver(ask: (text: string) => Promise<void>): Driver {
  return {
    async settle({ verifyUrl }, status) {
      await ask(
        `Open ${verifyUrl}\nLet the verification end as "${status}", then press Enter here: `,
      );
    },
  };
}
