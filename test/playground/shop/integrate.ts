import type { Integrate } from '../../../playground/shop/integration.ts';

/** The integration of a shop that opens a window. */
export const integrate: Integrate = ({ publishableKey, returnUrl, customerId }) => ({
  isOnServer: false,
  constructorOptions: { apiKey: publishableKey, returnUrl, mode: 'new-tab' },
  verifyOptions: { externalUserId: customerId },
});
