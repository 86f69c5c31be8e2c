import type { MockService, ServiceOptions } from 'ofage-mock';
import { afterEach, expect, vi } from 'vitest';
import type { Ending } from '../../../playground/verify/ending.ts';
import { type Flow, type FlowPorts, createFlow } from '../../../playground/verify/flow.ts';
import { createHostedApi } from '../../../playground/verify/hosted-api.ts';
import type { Progress, ProgressStore } from '../../../playground/verify/progress.ts';
import { aMock } from '../../support/a-mock.ts';

type TenantOptions = NonNullable<ServiceOptions['tenant']>;

export const L2: TenantOptions = { policy: { verificationMode: 'L2' } };
export const ORIGIN = 'https://api.ofage.example';
export let service: MockService;

/** Creates an in-memory store for the progress of one session. */
export function aProgressStore(): ProgressStore {
  let kept: Progress | null = null;
  return { load: () => kept, save: (progress) => (kept = progress) };
}

/**
 * Creates a session in a mock service, and the flow of its hosted page, which has not loaded the session
 * yet.
 */
export async function open(
  options: { tenant?: TenantOptions; create?: object } & Partial<FlowPorts> = {},
) {
  const { tenant = {}, create = {}, ...ports } = options;
  const my = await aMock({ tenant });
  service = my.service;
  const network = vi.fn((url: string, init: RequestInit) => service.fetch(new Request(url, init)));
  vi.stubGlobal('fetch', network);
  const created = await my.create(create);
  const { sessionId, sessionToken, handoffToken } = created as Record<string, string>;
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

/** Restores `fetch` after each test of the file. */
export const useChecks = (): void => void afterEach(() => void vi.unstubAllGlobals());
