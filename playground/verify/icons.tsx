import type { JSX } from 'preact';

const PATHS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  clock: 'M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
  face: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 10v.5M15 10v.5M8.5 14.5c2 2.2 5 2.2 7 0',
  document: 'M3 6.5h18v11H3zM6.5 10h4v4h-4zM14 10.5h4M14 13.5h4',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5.5v13l10.5-6.5z',
  phone: 'M7.5 3h9v18h-9zM11 18h2',
  'camera-off':
    'M4 7.5h3l1.5-2h7l1.5 2h3v11H4zM9.5 13a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0M3 3l18 18',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  still: 'M12 12h.01M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4',
  sparkle: 'M11 4l1.8 5.2L18 11l-5.2 1.8L11 18l-1.8-5.2L4 11l5.2-1.8zM18.5 16v4M16.5 18h4',
  link: 'M10 14l4-4M8.5 11.5l-2 2a3.2 3.2 0 0 0 4.5 4.5l2-2M15.5 12.5l2-2A3.2 3.2 0 0 0 13 6l-2 2M4 4l16 16',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative drawing beside a text with the same meaning. Hidden from screen readers. */
export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The logo of the service. */
export function ServiceLogo(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path fill="var(--accent)" d="M16 2l11 4v9c0 7-4.6 12.5-11 15C9.6 27.5 5 22 5 15V6z" />
      <path
        fill="none"
        stroke="var(--on-accent)"
        stroke-width="3"
        stroke-linecap="round"
        stroke-linejoin="round"
        d="M10.5 16l4 4 7.5-8.5"
      />
    </svg>
  );
}
