import type { Random } from '../store/random.ts';
import type { JobHandler } from '../store/scheduler.ts';
import { expireIfOver, settleSession } from './session-life.ts';

/**
 * Creates the handlers of the sessions' scheduled jobs: the deadline after ten minutes, and the end of the
 * grace period of a closed page.
 */
export function createSessionJobs(random: Random): Record<'deadline' | 'leave', JobHandler> {
  return {
    deadline(db, { ref }, nowMs) {
      const session = db.get('sessions', ref);
      if (session) expireIfOver(db, session, { nowMs, random });
      return undefined;
    },
    leave(db, { ref }, nowMs) {
      const moment = { nowMs, random };
      const session = db.get('sessions', ref);
      // The job may run late. At or after the deadline, the session expires instead of being cancelled.
      if (session && expireIfOver(db, session, moment).status === 'PENDING')
        settleSession(db, ref, 'cancelled', moment);
      return undefined;
    },
  };
}
