import * as v from 'valibot';
import { SCENARIO_NAMES } from '../../api/scenarios.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import {
  API_FAULTS,
  API_OPERATIONS,
  FAULT_KINDS,
  FAULT_OPERATIONS,
  WEBHOOK_FAULTS,
} from '../../store/rows.ts';

// The basic values in responses.

export const text = v.string();

export const textOrNull = v.nullable(text);

export const flag = v.boolean();

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const id = v.pipe(text, v.minLength(1));

export const instant = v.pipe(text, v.isoTimestamp());

export const instantOrNull = v.nullable(instant);

export const mode = v.picklist(['L1', 'L2']);

export const age = v.pipe(v.number(), v.minValue(25), v.maxValue(99));

export const status = v.picklist(['pending', 'verified', 'failed', 'cancelled', 'expired']);

export const device = v.picklist(['first', 'second']);

export const eventKind = v.picklist(EVENT_KINDS);

export const scenarioName = v.picklist(SCENARIO_NAMES);

export const apiFault = v.picklist(API_FAULTS);

export const webhookFault = v.picklist(WEBHOOK_FAULTS);

export const operation = v.picklist(API_OPERATIONS);

export const faultKind = v.picklist(FAULT_KINDS);

export const faultOperation = v.picklist(FAULT_OPERATIONS);

export const billingBlock = v.strictObject({
  code: v.picklist(['SUBSCRIPTION_REQUIRED', 'PLAN_LIMIT_REACHED', 'SANDBOX_LIMIT_REACHED']),
  message: text,
  portalUrl: v.exactOptional(text),
});

export const policy = v.strictObject({
  verificationMode: mode,
  challengeAge: age,
  faceMatchEnabled: flag,
});
