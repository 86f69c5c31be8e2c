import { type Client, type ValidationResult, grantsAccess, isOfAgeError } from 'ofage/server';
import { type Observe, SHOP_NAME } from './observe.ts';
import { NEW_CUSTOMER, type Access, type ShopStore } from './shop-store.ts';

/** The server's decision about a session, as sent to the shop's page. */
export interface Decision {
  readonly access: boolean;
  /** The result of validate, if the session belongs to this customer. */
  readonly validation: ValidationResult | null;
  readonly problem: Problem | null;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
}

/**
 * Creates the function that decides whether a session gives a customer access. It uses only the session id
 * from the browser.
 */
export function createVerification(client: Client, store: ShopStore, observe: Observe) {
  // Two clicks or two tabs may ask about one session at the same time, but it can be validated only once.
  const running = new Map<string, Promise<ValidationResult>>();

  const validate = (sessionId: string): Promise<ValidationResult> => {
    const asked = running.get(sessionId);
    if (asked) return asked;
    const asking = validateAndKeep(client, store, sessionId).finally(() =>
      running.delete(sessionId),
    );
    running.set(sessionId, asking);
    return asking;
  };

  const grant = async (
    access: Pick<Access, 'sessionId' | 'by'>,
    customerId: string,
  ): Promise<void> => {
    await store.customers.update(customerId, (customer = NEW_CUSTOMER) => ({
      ...customer,
      access: customer.access ?? { ...access, since: new Date().toISOString() },
    }));
    await observe({ kind: 'access_granted', sessionId: access.sessionId, by: SHOP_NAME });
  };

  return async (customerId: string, sessionId: string): Promise<Decision> => {
    try {
      const result = (await store.verifications.get(sessionId)) ?? (await validate(sessionId));
      // A shopper can send the session id of another customer who passed. This comparison prevents that.
      if (result.externalUserId !== customerId) return refuse(WRONG_CUSTOMER);
      const access = grantsAccess(result, { externalUserId: customerId });
      if (access) await grant({ sessionId, by: 'validate' }, customerId);
      return { access, validation: result, problem: null };
    } catch (error) {
      if (!isOfAgeError(error)) throw error;
      if (
        error.code === 'session_already_used' &&
        (await isCompleted(store, customerId, sessionId))
      ) {
        await grant({ sessionId, by: 'webhook' }, customerId);
        return { access: true, validation: null, problem: null };
      }
      return refuse({ code: error.code, message: error.message });
    }
  };
}

async function validateAndKeep(
  client: Client,
  store: ShopStore,
  sessionId: string,
): Promise<ValidationResult> {
  try {
    const result = await client.validateSession(sessionId);
    // A pending session can be validated again. Any other result is returned only once.
    if (result.status !== 'pending') await store.verifications.update(sessionId, () => result);
    return result;
  } catch (error) {
    if (!isOfAgeError(error) || error.code !== 'session_already_used') throw error;
    // Another process of the shop received the response and may be about to store it.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const result = await store.verifications.get(sessionId);
      if (result) return result;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw error;
  }
}

/**
 * Tells whether a signed webhook reported that this customer passed. If the response of validate was lost,
 * the session is used up and the webhook is the only proof.
 */
async function isCompleted(
  store: ShopStore,
  customerId: string,
  sessionId: string,
): Promise<boolean> {
  const completion = await store.completions.get(sessionId);
  return completion?.customerId === customerId;
}

const refuse = (problem: Problem): Decision => ({ access: false, validation: null, problem });

const WRONG_CUSTOMER: Problem = {
  code: 'wrong_customer',
  message: 'Cannot give access: the session belongs to another customer',
};
