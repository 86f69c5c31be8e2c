/**
 * Tells the mock's doctor what the shop does with a result, which the service cannot see. Only for the
 * playground: production has no such address, and your shop does not need this.
 */
export type Observe = (observation: Observation) => Promise<void>;

type Observer = (observation: Observation) => Promise<unknown>;

export interface Observation {
  readonly kind: 'access_granted' | 'url_status_trusted' | 'webhook_processed';
  readonly sessionId: string;
  readonly eventId?: string;
  /** The reporter. */
  readonly by: string;
}

/** @param tell Adds an observation by the mock's control API. */
export function createObserve(tell: Observer): Observe {
  return async (observation) => {
    // A failed report must not affect the shop or its customers.
    await tell(observation).catch(() => undefined);
  };
}

export const observeNothing: Observe = async () => {};

/** As the shop calls itself, to shoppers and to the doctor. */
export const SHOP_NAME = 'Kontor';
