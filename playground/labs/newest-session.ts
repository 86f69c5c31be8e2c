import { type ReadonlySignal, signal } from '@preact/signals';
import type { SessionResource } from 'ofage-mock';
import type { Provider } from '../shared/provider.ts';

/** The newest session of a customer, which a lab follows. */
export interface NewestSession {
  /** Null until the session exists. */
  readonly session: ReadonlySignal<SessionResource | null>;
  /** Resolves once the hosted page is open. By then, the SDK listens for the page's messages. */
  whenOpen(): Promise<SessionResource>;
  /** Allows the page to pause its updates again while it is hidden. */
  letSleep(): void;
  close(): void;
}

/**
 * The polling interval. In the static playground, each page has its own copy of the service, so a change
 * that another page makes reaches the live stream of this page late.
 */
const POLL_MS = 500;

/**
 * Follows a session that will be created. Keeps the page's updates running, because a popup may hide the
 * page.
 */
export function followNewestSession(
  { client, live }: Pick<Provider, 'client' | 'live'>,
  externalUserId: string,
): NewestSession {
  const session = signal<SessionResource | null>(null);
  const letSleep = live.stayAwake();
  const asked = live.open({
    key: `newest session of ${externalUserId}`,
    topics: ['session'],
    everyMs: POLL_MS,
    async read() {
      const [newest] = await client.sessions({ externalUserId, limit: 1 });
      if (newest) session.value = newest;
    },
  });
  return {
    session,
    whenOpen: () =>
      new Promise((resolve) => {
        session.subscribe((newest) => {
          if (newest && newest.openDevices.length > 0) resolve(newest);
        });
      }),
    letSleep,
    close() {
      letSleep();
      asked.close();
    },
  };
}
