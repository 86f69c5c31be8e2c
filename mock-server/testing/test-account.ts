import type { ServiceClock } from '../api/clock.ts';
import type { Control } from '../api/control.ts';
import type { FaultInput, FaultResource } from '../api/faults.ts';
import type { ScenarioName } from '../api/scenarios.ts';
import type { SessionResource } from '../api/sessions.ts';
import { createTestOfAge, type OfAgeConstructor } from '../../src/testing.ts';

/** A mock account that belongs to a single test. */
export interface TestAccount {
  /** The base URL of the API, for `createClient({ baseUrl })` and other clients. */
  readonly apiBase: string;
  readonly tenantId: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  /** The SDK's constructor, bound to the mock. */
  readonly OfAge: OfAgeConstructor;
  /** The complete client of the mock's control API. */
  readonly control: Control;
  readonly clock: ServiceClock;

  /** Queues outcomes for the account's next sessions on the hosted page, one per session. */
  nextOutcomes(...outcomes: ScenarioName[]): Promise<void>;
  /**
   * Settles a session at once, without a browser. If no id is given, it is the account's newest session.
   */
  settle(outcome: ScenarioName, sessionId?: string): Promise<SessionResource>;
  /** Injects faults into the account's next calls to an operation. */
  fault(input: Omit<FaultInput, 'tenantId'>): Promise<FaultResource>;
  /** Lists the account's sessions, newest first. */
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
