import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../../playground/inspector/entry.ts';
import { followService } from '../../../playground/inspector/service-feed.ts';
import { aProvider } from './a-provider.ts';

let my: ReturnType<typeof aProvider>;
let close: () => void;
/** The entries of the last replace() call, and the entries of all add() calls. */
let replaced: readonly Entry[] | null;
let added: Entry[];

beforeEach(() => {
  my = aProvider();
  replaced = null;
  added = [];
});
afterEach(async () => {
  close();
  await my.service.close();
});

function follow() {
  const feed = followService(my.provider.live, {
    add: (entries) => added.push(...entries),
    replace: (entries) => (replaced = entries),
    anchor: () => undefined,
  });
  ({ close } = feed);
  return feed;
}

const kindsIn = (entries: readonly Entry[] | null) => new Set(entries?.map(({ kind }) => kind));

describe('followService()', () => {
  it('reports existing entries without a time of receipt, and new ones with one', async () => {
    const old = await my.service.control.trigger({ name: 'verified' });
    const feed = follow();
    await vi.waitFor(() => expect(replaced).not.toBeNull());
    expect(kindsIn(replaced)).toContain('session');
    expect(replaced?.every(({ receivedMs }) => receivedMs === null)).toBe(true);

    await my.service.control.trigger({ name: 'cancelled' });
    await my.service.clock.advance(60_000);
    const expected = ['session', 'event', 'delivery', 'clock'];
    await vi.waitFor(() => {
      for (const kind of expected) expect(kindsIn(added)).toContain(kind);
    });
    expect(added.every(({ receivedMs }) => receivedMs !== null)).toBe(true);
    const [event] = await my.service.control.events({ sessionId: old.id });
    expect(feed.events.get(event?.id ?? '')?.sessionId).toBe(old.id);
  });

  it('drops entries that the service no longer stores', async () => {
    await my.service.control.trigger({ name: 'verified' });
    follow();
    await vi.waitFor(() => expect(kindsIn(replaced)).toContain('session'));
    await my.service.control.reset();
    await vi.waitFor(() => expect(kindsIn(replaced)).not.toContain('session'));
    expect(kindsIn(replaced)).not.toContain('event');
  });
});
