import { type ReadonlySignal, signal } from '@preact/signals';
import type { SessionResource } from 'ofage/mock';
import type { Provider } from '../shared/provider.ts';

/** The newest session of one customer, while a lab waits for what happens to it. */
export interface NewestSession {
  /** Null while there is none. */
  readonly session: ReadonlySignal<SessionResource | null>;
  /** Resolves once the hosted page is open. Then the SDK listens for its message. */
  whenOpen(): Promise<SessionResource>;
  /** Lets the page sleep again while it is hidden. */
  letSleep(): void;
  close(): void;
}

/**
 * The session is created in another page. In the static playground its service is not this page's, and
 * this page's stream reports it late.
 */
const LOOK_AGAIN_MS = 500;

/** Follows a session that is created later. Keeps the page awake, because a popup may hide it. */
export function followNewestSession(
  { client, live }: Pick<Provider, 'client' | 'live'>,
  externalUserId: string,
): NewestSession {
  const session = signal<SessionResource | null>(null);
  const letSleep = live.stayAwake();
  const asked = live.openQuery({
    topics: ['session'],
    everyMs: LOOK_AGAIN_MS,
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
