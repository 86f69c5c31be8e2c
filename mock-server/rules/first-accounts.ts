import type { Demo } from '../api/state.ts';
import type { Db } from '../store/db.ts';
import type { Moment } from '../store/moment.ts';
import {
  type DemoSeed,
  forgetAll,
  type NamedAccount,
  readDemo,
  seedDemo,
  toSameDemo,
} from './demo.ts';
import { type ClockStart, SIGNING_KEY_ID, startClock } from './first-state.ts';

/** The accounts that are created in a new state and again after a reset. */
export interface FirstAccounts {
  /**
   * Creates the accounts of `seed` in a new state, and adds or updates those that every state must have.
   */
  add(db: Db, seed: DemoSeed): void;
  /**
   * Deletes everything except the signing key, and recreates the accounts with the same keys and secrets.
   */
  reset(db: Db): Demo;
  find(db: Db): Demo;
}

/** @param named The accounts of the options. `find` and `reset` return the first of them. */
export function createFirstAccounts(
  named: readonly NamedAccount[],
  clockStart: ClockStart,
  realNow: () => number,
  momentIn: (db: Db) => Moment,
): FirstAccounts {
  /**
   * The accounts to recreate, with their keys and secrets, so that a deleted endpoint gets the same secret
   * again.
   */
  let first: DemoSeed;

  function seedIn(db: Db, seed: DemoSeed): void {
    if (db.count('tenants') === 0) startClock(db, clockStart, realNow());
    seedDemo(db, seed, momentIn(db));
  }

  return {
    add(db, seed) {
      seedIn(db, seed);
      first = toSameDemo(db, seed, named);
    },
    reset(db) {
      const again = toSameDemo(db, first, named);
      forgetAll(db, [SIGNING_KEY_ID]);
      seedIn(db, again);
      return readDemo(db, named[0]);
    },
    find: (db) => readDemo(db, named[0]),
  };
}
