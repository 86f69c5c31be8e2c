import type { AccessState } from '../../../playground/shop/api.ts';

/** The access of a customer who passed. */
export const ACCESS: AccessState = {
  customerId: 'anna',
  access: true,
  since: '2026-11-21T08:00:00.000Z',
  by: 'validate',
  latestSessionId: 's1',
  webhooks: [],
};
