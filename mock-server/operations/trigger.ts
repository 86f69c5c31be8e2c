import * as v from 'valibot';
import { toSessionResource, type SessionResource } from '../control/resources.ts';
import type { Db } from '../core/db.ts';
import { ServiceError } from '../core/errors.ts';
import type { TenantRow } from '../core/tables.ts';
import { EVENT_KINDS } from '../core/event-kinds.ts';
import { choice, optionalText } from '../input/fields.ts';
import { isActivePair, listPairs } from '../accounts/keys.ts';
import type { Moment } from '../core/moment.ts';
import { findScenario, SCENARIO_NAMES, toScenario } from '../sessions/scenarios.ts';
import { settleSession } from '../sessions/session-life.ts';
import { createSession } from '../sessions/sessions.ts';
import { getTenant } from '../accounts/tenants.ts';

export const triggerInput = v.object({
  name: choice('name', [...SCENARIO_NAMES, ...EVENT_KINDS]),
  tenantId: optionalText('tenantId'),
  externalUserId: optionalText('externalUserId'),
});

/** Creates a session and settles it with a scenario, or with the one that leads to an event. */
export function triggerEvent(
  db: Db,
  { name, tenantId, externalUserId }: v.InferOutput<typeof triggerInput>,
  moment: Moment,
): SessionResource {
  const tenant = tenantId == null ? firstTenant(db) : getTenant(db, tenantId);
  // Only a pair whose keys are both active could have created the session.
  const pair = listPairs(db, tenant.id).find(isActivePair);
  if (!pair) throw new ServiceError('conflict', 'The account has no active key pair');
  const scenario = toScenario(name);
  const session = createSession(
    db,
    { key: pair.secret, tenant },
    {
      returnUrl: 'http://localhost/',
      externalUserId,
      takesNextOutcome: false,
      ...(findScenario(scenario)?.needsFaceMatch && { faceMatchEnabled: true }),
    },
    moment,
  );
  return toSessionResource(settleSession(db, session.id, scenario, moment));
}

function firstTenant(db: Db): TenantRow {
  const [tenant] = db.all('tenants');
  if (!tenant) throw new ServiceError('not_found', 'The state has no account');
  return tenant;
}
