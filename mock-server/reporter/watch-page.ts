import { quietly } from './during-call.ts';
import { readSessionId, toFact } from './facts.ts';
import type { Reporter } from './reporter.ts';

/** Watches a page from outside of the SDK. */
interface PageWatch {
  /** Notes that the SDK did something that the page sees. */
  noteEffect(): void;
}

/**
 * Reports the loads of a page, its end, and the messages of the SDK's types. There is no `unload` listener,
 * which would keep the page out of the back/forward cache.
 */
export function watchPage(reporter: Reporter): PageWatch {
  let effects = 0;
  const later = setTimeout;
  const shown = (isCached: boolean): void => void reporter.add('page.shown', { isCached });

  if (document.readyState === 'complete') shown(false);
  else window.addEventListener('load', () => shown(false), { once: true });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) shown(true);
  });
  window.addEventListener('pagehide', ({ persisted }) => {
    reporter.add('page.left', { isCached: persisted });
    quietly(() => reporter.leave());
  });
  document.addEventListener('visibilitychange', () => {
    reporter.add(document.visibilityState === 'hidden' ? 'page.hidden' : 'page.visible', {});
    // A phone may end a hidden page without a further event.
    if (document.visibilityState === 'hidden') quietly(() => reporter.leave());
  });
  window.addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
    quietly(() => {
      const { type, status, timestamp, present } = Object(data);
      if (typeof type !== 'string' || !type.startsWith('ofage:')) return;
      const sessionId = readSessionId(data);
      const from = toFact(origin);
      const isPresence = type === 'ofage:verification:presence';
      const report = reporter.add(
        'message.received',
        {
          type: toFact(type),
          from,
          sessionId,
          status: toFact(status),
          timestamp: toFact(timestamp),
          present: isPresence ? (toFact(present) ?? 'unknown') : undefined,
        },
        { sessionId },
      );
      // The SDK calls nothing for a presence message.
      if (isPresence) return;
      const before = effects;
      // The promise of verify() and the callbacks come before the next task.
      later(() => {
        report.facts.hasEffect = effects !== before;
      });
    });
  });
  return {
    noteEffect() {
      effects += 1;
    },
  };
}
