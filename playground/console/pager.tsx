import type { JSX } from 'preact';
import { Button } from '../shared/kit/button.tsx';
import type { Route } from './route.ts';

/**
 * The `before` parameters of the pages from the second one to the one on display. The service has only the
 * parameter of the next older page, so the address keeps those of the newer ones.
 */
export type Trail = readonly string[];

export function readTrail({ query }: Route): Trail {
  return (query['before'] ?? '').split(' ').filter(Boolean);
}

/** Buttons that lead to the newest, the newer and the older page of a list. Shows nothing for a single page. */
export function Pager(props: {
  label: string;
  trail: Trail;
  /** The `before` parameter of the page of older sessions. Null on the last page. */
  next: string | null;
  /** Changes the query parameter `before`. */
  go(before: string): void;
}): JSX.Element | null {
  const { label, trail, next, go } = props;
  if (trail.length === 0 && next === null) return null;
  const isFirst = trail.length === 0;
  const turns = [
    ['newest', 'Newest', isFirst, ''],
    ['newer', 'Newer', isFirst, trail.slice(0, -1).join(' ')],
    ['older', 'Older', next === null, [...trail, next].join(' ')],
  ] as const;
  return (
    <nav class="row row--end" aria-label={label}>
      {turns.map(([id, name, unavailable, before]) => (
        <Button key={id} small unavailable={unavailable} onPress={() => go(before)} testId={id}>
          {name}
        </Button>
      ))}
    </nav>
  );
}
