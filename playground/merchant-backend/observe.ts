/**
 * Tells the mock's doctor what the shop does with a result, which the service cannot see. For the
 * playground alone: production has no such address, and a shop of yours needs none of this.
 */
export type Observe = (observation: Observation) => Promise<void>;

type Observer = (observation: Observation) => Promise<unknown>;

export interface Observation {
  readonly kind: 'access_granted' | 'url_status_trusted' | 'webhook_processed';
  readonly sessionId: string;
  readonly eventId?: string;
  /** Who says so. */
  readonly by: string;
}

/** @param tell Adds an observation by the mock's control API. */
export function createObserve(tell: Observer): Observe {
  return async (observation) => {
    // Whether anybody listens is no business of the shop's, and must not cost a customer anything.
    await tell(observation).catch(() => undefined);
  };
}

export const observeNothing: Observe = async () => {};

/** As the shop calls itself, to shoppers and to the doctor. */
export const SHOP_NAME = 'Kontor';
