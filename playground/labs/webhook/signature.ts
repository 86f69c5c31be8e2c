import type { KeptWebhook } from '../../merchant-backend/lab-plan.ts';

export const SIGNATURE_HEADER = 'x-ofage-signature';

export function signatureOf({ headers }: Pick<KeptWebhook, 'headers'>): string | undefined {
  return headers.find(([name]) => name === SIGNATURE_HEADER)?.[1];
}
