import * as v from 'valibot';
import { OBSERVATION_KINDS } from '../../../api/doctor.ts';
import { DOCTOR_CODES } from '../../../doctor/examine.ts';
import { count, id, instant, instantOrNull, text, textOrNull } from './values.ts';

// Responses of the doctor.

export const observation = v.strictObject({
  id: count,
  at: instant,
  kind: v.picklist(OBSERVATION_KINDS),
  tenantId: id,
  sessionId: id,
  eventId: textOrNull,
  by: textOrNull,
});

const evidence = v.strictObject({
  kind: v.picklist(['request', 'session', 'delivery', 'endpoint', 'observation']),
  id,
  at: instant,
});

const finding = v.strictObject({
  code: v.picklist(DOCTOR_CODES),
  severity: v.picklist(['problem', 'warning', 'ok']),
  title: text,
  detail: text,
  why: text,
  advice: text,
  lastSeenAt: instantOrNull,
  evidence: v.array(evidence),
});

export const doctor = v.strictObject({
  checkedAt: instant,
  seen: v.strictObject({
    requests: count,
    sessions: count,
    deliveries: count,
    observations: count,
    since: instantOrNull,
    forgottenRequests: count,
    labSessions: count,
  }),
  findings: v.array(finding),
  earlier: v.array(finding),
});
