import type { Demo } from '../../api/state.ts';
import type { Destination } from '../../send/destination.ts';
import type { WebhookTester } from '../../send/engine.ts';
import type { Db, Moment } from '../../store/db.ts';
import type { ClockControl, ClockState } from '../../store/scheduler.ts';

/** The parts of the service that operations use. */
export interface Context {
  /** Opens the service if needed and runs one transaction. */
  transact<T>(run: (db: Db, moment: Moment) => T): Promise<T>;
  /** Opens the service if needed and reads or changes its clock. */
  useClock(use: (clock: ClockControl) => Promise<ClockState>): Promise<ClockState>;
  /** Returns real time, in milliseconds since the epoch. */
  realNow(): number;
  readonly tester: WebhookTester;
  /** Writes the buffered requests. */
  flushRequests(): Promise<void>;
  resolveDestination(url: string): Promise<Destination>;
  reset(): Promise<Demo>;
  /** Finds the first account, whose keys applications use. */
  findDemo(db: Db): Demo;
  /** Notifies listeners that the state was replaced. */
  publishReload(): void;
}
