import { type Client, type ValidationResult, grantsAccess, isOfAgeError } from 'ofage/server';
import { type Observe, SHOP_NAME } from './observe.ts';
import { NEW_CUSTOMER, type Access, type ShopStore } from './shop-store.ts';

/** The shop's response to its own page about a session. */
export interface Decision {
  readonly access: boolean;
  /** The service's answer, when it is about this customer. */
  readonly validation: ValidationResult | null;
  readonly problem: Problem | null;
}

export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** Decides whether a session opens the shop to a customer. Ignores everything that the browser said. */
export function createVerification(client: Client, store: ShopStore, observe: Observe) {
  // Two clicks, or two tabs, ask about one session at once; the service answers only the first.
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
      // A shopper can bring along the session id of a customer who passed. This comparison stops that.
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
    // A pending session is not used up and may still change; everything else is said once.
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

/** An answer that got lost used the session up; then its signed webhook is the word we have. */
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
