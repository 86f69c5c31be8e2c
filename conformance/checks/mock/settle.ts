import type { World } from '../../world.ts';

type Control = World['driver']['mock']['control'];

/** Ends a session with a scenario of the mock. */
export async function settle(
  { driver }: World,
  sessionId: string,
  scenario: Parameters<Control['settle']>[1],
): Promise<void> {
  await driver.mock.control.settle(sessionId, scenario);
}
