/**
 * In the static playground the service lives in a page, and forgets with it what the shops told its
 * doctor. So what was told is kept, and told again to the service of the next page.
 */
export interface KeptObservations {
  /** Tells the service, and keeps what it made of it, with the time. */
  tell(body: string): Promise<void>;
  /** Tells it all again, and forgets what means nothing any more. */
  tellAgain(): Promise<void>;
}

const KEY = 'ofage-playground:observations';
const KEPT = 100;

export function keepObservations(
  send: (body: string) => Promise<Pick<Response, 'ok' | 'json'>>,
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
    async tell(body) {
      const answer = await send(body);
      if (answer.ok) write([...read(), await answer.json()]);
    },
    async tellAgain() {
      const known: unknown[] = [];
      for (const observation of read()) {
        const { kind, sessionId, eventId, at, by } = Object(observation) as Record<string, unknown>;
        // After a reset there is no such session.
        const { ok } = await send(JSON.stringify({ kind, sessionId, eventId, at, by }));
        if (ok) known.push(observation);
      }
      write(known);
    },
  };
}
