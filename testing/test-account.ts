import type { ServiceClock } from '../mock-server/control/clock.ts';
import type { Control } from '../mock-server/control/control.ts';
import type { FaultResource, SessionResource } from '../mock-server/control/resources.ts';
import type { FaultInput } from '../mock-server/control/steering.ts';
import type { ScenarioName } from '../mock-server/sessions/scenarios.ts';
import { createTestOfAge, type OfAgeConstructor } from '../src/testing.ts';

/** An account of the mock that one test has for itself. */
export interface TestAccount {
  /** For `createClient({ baseUrl })` and whatever else calls the API. */
  readonly apiBase: string;
  readonly tenantId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** The SDK's constructor, bound to the mock. */
  readonly OfAge: OfAgeConstructor;
  /** Everything else that the mock can be told and asked. */
  readonly control: Control;
  readonly clock: ServiceClock;

  /** Says how the account's next sessions end on the hosted page, one after the other. */
  nextOutcomes(...outcomes: ScenarioName[]): Promise<void>;
  /** Ends a session now, with no browser. Without an id: the account's newest one. */
  settle(outcome: ScenarioName, sessionId?: string): Promise<SessionResource>;
  /** Makes the account's next calls of an operation go wrong. */
  fault(input: Omit<FaultInput, 'tenantId'>): Promise<FaultResource>;
  /** The account's sessions, newest first. */
  sessions(): Promise<SessionResource[]>;
}

export interface AccountFacts {
  readonly apiBase: string;
  readonly tenantId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
}

export function toTestAccount(
  facts: AccountFacts,
  control: Control,
  clock: ServiceClock,
): TestAccount {
  const { apiBase, tenantId, publishableKey, secretKey } = facts;
  const sessions = (): Promise<SessionResource[]> => control.sessions({ tenantId });
  return {
    apiBase,
    tenantId,
    publishableKey,
    secretKey,
    OfAge: createTestOfAge(apiBase),
    control,
    clock,
    async nextOutcomes(...outcomes) {
      await control.queueNextOutcomes(tenantId, outcomes);
    },
    async settle(outcome, sessionId) {
      const id = sessionId ?? (await sessions())[0]?.id;
      if (id === undefined) throw new Error('Cannot settle: the account has no session yet');
      return control.settle(id, outcome);
    },
    fault: (input) => control.addFault({ ...input, tenantId }),
    sessions,
  };
}
