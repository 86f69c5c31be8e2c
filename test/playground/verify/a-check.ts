import { createMockService } from 'ofage/mock';
import { afterEach, expect, vi } from 'vitest';
import type { Ending } from '../../../playground/verify/ending.ts';
import { type Flow, type FlowPorts, createFlow } from '../../../playground/verify/flow.ts';
import { createHostedApi } from '../../../playground/verify/hosted-api.ts';
import type { Progress, ProgressStore } from '../../../playground/verify/progress.ts';

export type Service = ReturnType<typeof createMockService>;
export type TenantOptions = NonNullable<Parameters<typeof createMockService>[0]>['tenant'];

export const L2: TenantOptions = { policy: { verificationMode: 'L2' } };
export const ORIGIN = 'https://api.ofage.example';
export let service: Service;

/** Creates an in-memory store for the progress of one session. */
export function aProgressStore(): ProgressStore {
  let kept: Progress | null = null;
  return { load: () => kept, save: (progress) => void (kept = progress) };
}

/**
 * Creates a session in a mock service, and the flow of its hosted page, which has not loaded the session
 * yet.
 */
export async function open(
  options: { tenant?: TenantOptions; create?: object } & Partial<FlowPorts> = {},
) {
  const { tenant = {}, create = {}, ...ports } = options;
  service = createMockService({ tenant, clock: { frozen: true } });
  const network = vi.fn((url: string, init: RequestInit) => service.fetch(new Request(url, init)));
  vi.stubGlobal('fetch', network);
  const { secretKey } = await service.ready;
  const created = await service.fetch(
    new Request(`${ORIGIN}/api/v1/sessions/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ returnUrl: 'http://localhost/return', ...create }),
    }),
  );
  const { sessionId, sessionToken, handoffToken } = (await created.json()) as Record<
    string,
    string
  >;
  const left: Ending[] = [];
  const tab = aProgressStore();
  /** Creates the flow of a page that was opened with this token. */
  const visit = (token: string, more: Partial<FlowPorts> = {}): Flow =>
    createFlow({
      api: createHostedApi(ORIGIN, token),
      skipIntro: false,
      autoReturn: false,
      chosenOutcome: () => null,
      chooseOutcome: () => {},
      isHidden: () => false,
      takeBlur: () => false,
      progress: tab,
      leavePage: (ending) => left.push(ending),
      wait: async () => {},
      ...ports,
      ...more,
    });
  const flow = visit(sessionToken!);
  const reload = () => visit(sessionToken!);
  const onSecond = () =>
    visit(handoffToken!, { progress: aProgressStore(), leavePage: () => expect.unreachable() });
  const statusOf = async () => (await service.control.session(sessionId!)).status;
  return { flow, reload, onSecond, left, network, sessionId: sessionId!, statusOf };
}

/** Closes the service after each test of the file. */
export function useChecks(): void {
  afterEach(async () => {
    vi.unstubAllGlobals();
    await service.close();
  });
}
