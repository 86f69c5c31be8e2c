import type { CreatedSession } from '../../../mock-server/conformance/driver.ts';
import type { World } from '../../../mock-server/conformance/world.ts';

type Scenario = Parameters<World['driver']['mock']['control']['settle']>[1];

/** Settles a session with a scenario of the mock. The scenario `never` leaves it pending. */
export async function settle(
  { driver }: World,
  sessionId: string,
  scenario: Scenario,
): Promise<void> {
  await driver.mock.control.settle(sessionId, scenario);
}

export const settleAs =
  (scenario: Scenario) =>
  (world: World, { sessionId }: CreatedSession): Promise<void> =>
    settle(world, sessionId, scenario);
