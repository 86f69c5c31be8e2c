/**
 * Marks for the demo shop's endpoint, and for the traffic of the labs, which make mistakes on purpose in the
 * demo shop's account. By default, the doctor ignores marked records. mock-server/api/brand.ts defines the
 * same marks.
 */

/** The query of the URL of the demo shop's webhook endpoint. */
export const DEMO_QUERY = '?ofage_demo';

/** The query of the URL of the webhook lab's receiver. */
export const LAB_QUERY = '?ofage_lab';

/** The header that marks a request of the labs, because a mistaken request may name no session. */
export const LAB_HEADERS = { 'x-ofage-lab': '1' } as const;

export function toLabCustomer(name: string): string {
  return `ofage_lab:${name}`;
}
