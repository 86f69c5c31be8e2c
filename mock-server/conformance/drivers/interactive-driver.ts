import type { Driver } from '../driver.ts';

/**
 * Creates a driver that asks a person to finish verifications.
 * @param ask Shows instructions, and resolves once the person has followed them.
 */
export function createInteractiveDriver(ask: (text: string) => Promise<void>): Driver {
  return {
    async settle({ verifyUrl }, status) {
      await ask(
        `Open ${verifyUrl}, unless a browser window already shows it\nLet the verification end as "${status}", then press Enter here: `,
      );
    },
  };
}
