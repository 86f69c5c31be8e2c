import { createMockService, type MockService } from 'ofage/mock';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { createTestSession } from '../../../../playground/dashboard/test-session.ts';
import type { LiveList, ListSource } from '../../../../playground/shared/live.ts';
import type { ListItem } from '../../../../playground/shared/live/list-source.ts';
import { type Provider, createProvider } from '../../../../playground/shared/provider.ts';
import { RETURN_URL } from '../../../support/api.ts';

export const UNREACHABLE = 'Cannot reach the mock at https://api.ofage.example: is it running?';

/** The network between a page and the service, which can record, delay and fail requests. */
export interface Network {
  /** Method and path of each request except that of the stream, in order. */
  readonly asked: string[];
  isDown: boolean;
  /** Holds back the responses to these requests until `letGo()` is called. */
  hold(path: string): { letGo(): void; readonly isWaiting: boolean };
}

export let service: MockService;
export let provider: Provider;
export let network: Network;
export let tenantId: string;
export let closes: (() => void)[];

/** Opens a list and resolves once it is loaded. */
export async function open<Item extends ListItem>(
  source: ListSource<Item>,
): Promise<LiveList<Item>> {
  const { list, close } = provider.live.openList(source);
  closes.push(close);
  await vi.waitFor(() => expect(list.data.value).not.toBeNull());
  return list;
}

export async function create(externalUserId = 'member-1'): Promise<string> {
  const { secretKey } = await service.ready;
  const body = { returnUrl: RETURN_URL, externalUserId };
  return (await createTestSession(createProvider(service), secretKey, body)).sessionId;
}

export const idsOf = (list: LiveList<ListItem>) => list.data.value?.map(({ id }) => id);

/** Creates a service and a page with a live mirror for each test of the file. */
export function useMirror(): void {
  beforeEach(async () => {
    vi.spyOn(console, 'debug').mockImplementation(() => undefined);
    closes = [];
    service = createMockService({ clock: { now: Date.UTC(2026, 0, 1), frozen: true } });
    ({ tenantId } = await service.ready);
    const held = new Map<string, { count: number; gate: Promise<void> }>();
    network = {
      asked: [],
      isDown: false,
      hold(path) {
        let letGo = (): void => {};
        const entry = { count: 0, gate: new Promise<void>((resolve) => (letGo = resolve)) };
        held.set(path, entry);
        return {
          letGo() {
            held.delete(path);
            letGo();
          },
          get isWaiting() {
            return entry.count > 0;
          },
        };
      },
    };
    provider = createProvider({
      apiOrigin: service.apiOrigin,
      async fetch(request) {
        const { pathname } = new URL(request.url);
        const path = pathname.replace('/control/v1', '');
        if (network.isDown) throw new TypeError('fetch failed');
        if (path !== '/stream') network.asked.push(`${request.method} ${path}`);
        const response = await service.fetch(request);
        const entry = held.get(path);
        if (entry) {
          entry.count += 1;
          await entry.gate;
        }
        return response;
      },
    });
  });
  afterEach(async () => {
    for (const close of closes) close();
    await service.close();
    vi.restoreAllMocks();
  });
}
