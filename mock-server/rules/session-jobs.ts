import type { Random } from '../core/random.ts';
import type { JobHandler } from '../core/scheduler.ts';
import { expireIfOver, settleSession } from './session-life.ts';

/** What happens to sessions by itself: the ten minutes run out, or a closed page does not come back. */
export function createSessionJobs(random: Random): Record<'deadline' | 'leave', JobHandler> {
  return {
    deadline(db, { ref }, nowMs) {
      const session = db.get('sessions', ref);
      if (session) expireIfOver(db, session, { nowMs, random });
      return undefined;
    },
    leave(db, { ref }, nowMs) {
      const session = db.get('sessions', ref);
      if (session?.status === 'PENDING') settleSession(db, ref, 'cancelled', { nowMs, random });
      return undefined;
    },
  };
}
