import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { THEMES, type Theme, chooseTheme, followTheme } from '../theme.ts';

const chosen = signal<Theme>('');

followTheme((theme) => {
  chosen.value = theme;
});

/** The choice of the theme, for these pages and the documentation. */
export function ThemeSelect(): JSX.Element {
  return (
    <span class="bar-theme">
      <ThemeIcon />
      <select
        class="bar-button"
        aria-label="Theme"
        value={chosen.value}
        onChange={({ currentTarget }) => {
          const theme = THEMES[currentTarget.selectedIndex];
          if (theme) chooseTheme(theme.value);
        }}
        data-testid="theme"
      >
        {THEMES.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

/** A circle, half of which is filled. */
function ThemeIcon(): JSX.Element {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5" />
      <path fill="currentColor" d="M8 2v12A6 6 0 0 1 8 2z" />
    </svg>
  );
}
