import type { ObservationInput, ObservationResource } from 'ofage/mock';

/**
 * In the static playground the service lives in a page, and forgets with it what the shops told its
 * doctor. So what was told is kept, and told again to the service of the next page.
 */
export interface KeptObservations {
  /** Tells the service, and keeps what it made of it, with the time. Rejects when the service refuses. */
  tell(observation: ObservationInput): Promise<void>;
  /** Tells it all again, and forgets what means nothing any more. */
  tellAgain(): Promise<void>;
}

const KEY = 'ofage-playground:observations';
const KEPT = 100;

export function keepObservations(
  send: (observation: ObservationInput) => Promise<ObservationResource>,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): KeptObservations {
  const read = (): unknown[] => {
    try {
      const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  };
  const write = (kept: readonly unknown[]): void =>
    storage.setItem(KEY, JSON.stringify(kept.slice(-KEPT)));

  return {
    async tell(observation) {
      const told = await send(observation);
      write([...read(), told]);
    },
    async tellAgain() {
      const known: unknown[] = [];
      for (const observation of read()) {
        // It was written by a page of this version or another, and the service checks it.
        const { kind, sessionId, eventId, at, by } = Object(observation) as ObservationResource;
        // After a reset the session is unknown.
        await send({ kind, sessionId, eventId, at, by }).then(
          () => known.push(observation),
          () => undefined,
        );
      }
      write(known);
    },
  };
}
