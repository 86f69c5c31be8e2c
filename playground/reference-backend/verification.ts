import { type Client, type ResultStore, grantsAccess, isOfAgeError } from 'ofage/server';
import type { Decision, Problem } from './responses.ts';
import { NEW_CUSTOMER, type Access, type Completion, type ShopStore } from './store.ts';

/**
 * Decides whether a session gives a customer access, and stores the access. It uses only the session id from
 * the browser.
 * @throws OfAgeError if the service could not be asked. A later call may succeed.
 */
export type Decide = (customerId: string, sessionId: string) => Promise<Decision>;

/**
 * Creates the store of `validateOnce` on a table of the shop. All processes share it, because the page and
 * the webhook, or two tabs, may ask different processes about one session.
 */
export function toResultStore({ verifications }: ShopStore): ResultStore {
  return {
    get: (sessionId) => verifications.get(sessionId),
    set: (sessionId, result) => verifications.update(sessionId, () => result),
  };
}

export function createVerification(client: Client, store: ShopStore): Decide {
  const grant = async (customerId: string, access: Access): Promise<void> => {
    await store.customers.update(customerId, (customer = NEW_CUSTOMER) => ({
      ...customer,
      access: customer.access ?? access,
    }));
    // After the access. If the server fails between the two, the webhook gives the same access again.
    await store.grants.update(access.sessionId, () => customerId);
  };

  return async (customerId, sessionId) => {
    try {
      const result = await client.validateOnce(sessionId);
      // A shopper may send the session id of another customer who passed, so the customers must match.
      if (result.externalUserId !== customerId) return refuse(WRONG_CUSTOMER);
      const access = result.verified && grantsAccess(result, { externalUserId: customerId });
      if (access) await grant(customerId, { sessionId, since: result.timestamp, by: 'validate' });
      // The shopper may have lost the page of an open check, to which only this address leads back.
      const checkUrl =
        result.status === 'pending' ? await store.checkUrls.get(sessionId) : undefined;
      return {
        access,
        validation: result,
        problem: null,
        ...(checkUrl !== undefined && { checkUrl }),
      };
    } catch (error) {
      if (!isOfAgeError(error) || error.retryable) throw error;
      if (error.code === 'session_already_used') {
        const completion = await findCompletion(store, customerId, sessionId);
        if (completion) {
          const { completedAt: since } = completion;
          await grant(customerId, { sessionId, since, by: 'webhook' });
          return { access: true, validation: null, problem: null };
        }
      }
      return refuse({ code: error.code, message: error.message });
    }
  };
}

/**
 * Returns the report of a signed webhook that this customer passed the check. If the response of validate
 * was lost, the session is used up and the webhook is the only proof.
 */
async function findCompletion(
  store: ShopStore,
  customerId: string,
  sessionId: string,
): Promise<Completion | null> {
  const completion = await store.completions.get(sessionId);
  return completion?.customerId === customerId ? completion : null;
}

const refuse = (problem: Problem): Decision => ({ access: false, validation: null, problem });

const WRONG_CUSTOMER: Problem = {
  code: 'wrong_customer',
  message: 'Cannot give access: the session belongs to another customer',
};
