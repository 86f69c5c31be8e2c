/**
 * The labs make mistakes on purpose, in the account of the demo shop. The doctor leaves out what carries
 * these marks, which mock-server/brand.ts defines.
 */

/** The query of the receiver's URL. */
export const LAB_QUERY = '?ofage_lab';

/** The header of a request that names no session. */
export const LAB_HEADERS = { 'x-ofage-lab': '1' } as const;

/** Returns the `externalUserId` of a customer of the labs. */
export function toLabCustomer(name: string): string {
  return `ofage_lab:${name}`;
}
