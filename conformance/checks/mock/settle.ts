import type { CreatedSession } from '../../driver.ts';
import type { World } from '../../world.ts';

type Scenario = Parameters<World['driver']['mock']['control']['settle']>[1];

/** Ends a session with a scenario of the mock. */
export async function settle(
  { driver }: World,
  sessionId: string,
  scenario: Scenario,
): Promise<void> {
  await driver.mock.control.settle(sessionId, scenario);
}

/** Returns a function that ends a session with a scenario of the mock. */
export const settleAs =
  (scenario: Scenario) =>
  (world: World, { sessionId }: CreatedSession): Promise<void> =>
    settle(world, sessionId, scenario);
