/**
 * A function that reports to the mock's doctor how the shop uses a result, because the service cannot see
 * that. Only the playground has it. Production has no such API, and your shop does not need it.
 */
export type Observe = (observation: Observation) => Promise<void>;

type Observer = (observation: Observation) => Promise<unknown>;

export interface Observation {
  readonly kind: 'access_granted' | 'url_status_trusted' | 'webhook_processed';
  readonly sessionId: string;
  readonly eventId?: string;
  /** The name of the program that reports. */
  readonly by: string;
}

/** @param addObservation Adds an observation through the mock's control API */
export function createObserve(addObservation: Observer): Observe {
  return async (observation) => {
    // A failed report must not affect the shop or its customers.
    await addObservation(observation).catch(() => undefined);
  };
}

export const observeNothing: Observe = async () => {};

/** The shop's name, for shoppers and for the doctor. */
export const SHOP_NAME = 'Kontor';
