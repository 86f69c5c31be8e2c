import type { RealClock } from '../store/clock.ts';
import { virtualNow } from '../store/clock.ts';
import type { Random } from '../store/random.ts';
import type { JobHandler } from '../store/scheduler.ts';
import type { Store } from '../store/store.ts';
import { finishDelivery, type Claim } from '../rules/attempts.ts';
import { pumpLane } from '../rules/pump-lane.ts';
import { dropOldRecords } from '../rules/retention.ts';
import { signAndHash, type BodySigner } from './sign-and-hash.ts';
import { sendBody } from './send-body.ts';
import type { Sender } from './sender.ts';
import { withFault } from './with-fault.ts';

export interface DeliveryOptions {
  readonly store: () => Store;
  readonly clock: RealClock;
  readonly random: Random;
  readonly sender: Sender;
  /** @default signAndHash, which uses Web Crypto */
  readonly sign?: BodySigner;
}

/**
 * Creates the handlers of the delivery jobs, and of the job that deletes old records. Each due attempt has
 * three stages: claim the delivery (a transaction writes the attempt and a lease), send the request, record
 * the outcome. If the process crashes after the claim, the lease expires and the event is sent again,
 * unless it is an inline event. The rules in webhooks/ decide when an attempt starts.
 */
export function createDeliveryJobs(
  options: DeliveryOptions,
): Record<'deliver' | 'retain', JobHandler> {
  const { random } = options;
  return {
    deliver(db, { ref: laneId }, nowMs) {
      const claims = pumpLane(db, laneId, { nowMs, random });
      if (claims.length === 0) return undefined;
      const attempts = claims.map((claim) => ({ claim, cut: new AbortController() }));
      const timeout = {
        group: laneId,
        expire: () => attempts.forEach(({ cut }) => cut.abort()),
      };
      const send = async (): Promise<void> => {
        await Promise.all(attempts.map(({ claim, cut }) => attempt(claim, options, cut.signal)));
      };
      return Object.assign(send, { timeout });
    },
    retain(db, { ref }, nowMs) {
      dropOldRecords(db, ref, nowMs);
      return undefined;
    },
  };
}

async function attempt(claim: Claim, options: DeliveryOptions, signal: AbortSignal): Promise<void> {
  const { store, clock, sign = signAndHash } = options;
  const sender = withFault(options.sender, claim.fault, clock);
  const outcome = await sendBody(claim, { clock, sender, sign, signal });
  await store().transact((db) => finishDelivery(db, claim, outcome, virtualNow(db, clock.now())));
}
