import type { PlaywrightAccount } from 'ofage/testing';

const CUSTOMER = 'customer-42';

/** Asks a shop about sessions that were settled in different ways, and checks whether it gives access. */
export async function checkValidation(
  url: string,
  { control, tenantId }: PlaywrightAccount,
): Promise<void> {
  const settle = async (name: 'verified' | 'failed_age_not_met', externalUserId = CUSTOMER) =>
    (await control.trigger({ tenantId, name, externalUserId })).id;
  const expectAccess = async (what: string, sessionId: string, access: boolean): Promise<void> => {
    const response = await fetch(`${url}/age-check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId }),
    });
    const text = await response.text();
    if (response.status !== 200 || text !== JSON.stringify({ access })) {
      throw new Error(`For ${what}, /age-check answered ${response.status} ${text}`);
    }
  };

  const verified = await settle('verified');
  await expectAccess('a verified shopper', verified, true);
  await expectAccess('a session that was used before', verified, true);
  await expectAccess('a shopper who is too young', await settle('failed_age_not_met'), false);
  await expectAccess('another customer', await settle('verified', 'customer-43'), false);
}
