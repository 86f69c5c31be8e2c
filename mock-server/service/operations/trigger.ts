import * as v from 'valibot';
import { findScenario, SCENARIO_NAMES, toScenario } from '../../api/scenarios.ts';
import type { SessionResource } from '../../api/sessions.ts';
import { isActivePair, listPairs } from '../../rules/keys.ts';
import { createSession, settleSession } from '../../rules/sessions.ts';
import { getTenant } from '../../rules/tenants.ts';
import type { Db, Moment } from '../../store/db.ts';
import { ServiceError } from '../../store/errors.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import type { TenantRow } from '../../store/tables.ts';
import { choice, optionalText } from '../input/fields.ts';
import { toSessionResource } from '../to-wire.ts';

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
