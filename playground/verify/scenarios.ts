import { createControlClient } from 'ofage/mock/client';
import { READ_MS, inTime } from '../shared/in-time.ts';
import type { HostedSession } from './hosted-session.ts';
import { isPassedByDocument } from './steps.ts';

/** An outcome that the sandbox offers. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly needsFaceMatch: boolean;
}

/** The default outcome. */
export const PASSED: Scenario = { name: 'verified', title: 'Verified', needsFaceMatch: false };

/** Loads the mock's catalogue of scenarios. Resolves to an empty list if it cannot be loaded. */
export async function loadScenarios(origin: string): Promise<Scenario[]> {
  try {
    const client = createControlClient({
      baseUrl: origin,
      around: (_call, send) => inTime('The service', READ_MS, send),
    });
    return parseScenarios(await client.scenarios());
  } catch {
    return [];
  }
}

/** Returns the scenarios that are possible in this session. */
export function scenariosFor(scenarios: readonly Scenario[], session: HostedSession): Scenario[] {
  return scenarios.filter(
    ({ name, needsFaceMatch }) =>
      (!needsFaceMatch || session.faceMatchEnabled) &&
      // L2 has no face estimate that could require a document.
      !(isPassedByDocument(name) && session.verificationMode === 'L2'),
  );
}

export function parseScenarios(body: unknown): Scenario[] {
  const rows: unknown = Array.isArray(body) ? body : (body as { items?: unknown } | null)?.items;
  if (!Array.isArray(rows)) return [];
  return rows.flatMap((row: unknown) => {
    const { name, title, needsFaceMatch } = Object(row) as Partial<Record<keyof Scenario, unknown>>;
    if (typeof name !== 'string') return [];
    const shown = typeof title === 'string' ? title : name;
    return [{ name, title: shown, needsFaceMatch: needsFaceMatch === true }];
  });
}
