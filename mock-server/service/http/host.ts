import { type RealClock, virtualNow } from '../../store/clock.ts';
import type { Db, Moment } from '../../store/db.ts';
import type { Random } from '../../store/random.ts';
import type { Store } from '../../store/store.ts';
import type { RequestRecorder } from '../request-recorder.ts';
import type { TokenSigner } from './session-tokens.ts';

/** The parts of the service that the routes use. */
export interface ServiceHost {
  readonly store: Store;
  readonly clock: RealClock;
  readonly random: Random;
  readonly tokens: TokenSigner;
  readonly requests: RequestRecorder;
  /** The hosted page's address, to which a session's id and token are appended. */
  readonly verifyUrl: string;
}

/** Opens the service at the first call. Later calls return the same service. */
export type OpenHost = () => Promise<ServiceHost>;

/** Returns the moment of the running transaction: its time and its source of random numbers. */
export function momentOf(host: Pick<ServiceHost, 'clock' | 'random'>, db: Db): Moment {
  return { nowMs: virtualNow(db, host.clock.now()), random: host.random };
}
