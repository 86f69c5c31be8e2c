import type { Random } from '../core/random.ts';
import type { JobHandler } from '../core/scheduler.ts';
import { expireIfOver, settleSession } from './session-life.ts';

/** Scheduled jobs of sessions: the end of the ten minutes, and a closed page that did not come back. */
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
      // The job may run late: at or past the deadline the session expires instead.
      if (session && expireIfOver(db, session, moment).status === 'PENDING')
        settleSession(db, ref, 'cancelled', moment);
      return undefined;
    },
  };
}
