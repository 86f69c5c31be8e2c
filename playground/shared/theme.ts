import { siteStorage } from './text-storage.ts';

/** The colour scheme that a person has chosen. '' follows the system. */
export type Theme = '' | 'light' | 'dark';

export const THEMES: readonly { readonly value: Theme; readonly text: string }[] = [
  { value: '', text: 'System theme' },
  { value: 'light', text: 'Light theme' },
  { value: 'dark', text: 'Dark theme' },
];

/** The key under which the documentation's site stores the choice too, so that one choice holds for both. */
const KEY = 'starlight-theme';

/** Calls `show` with the chosen theme, now and after each change, also in another page or window. */
export function followTheme(show: (theme: Theme) => void): void {
  show(readTheme());
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === KEY) show(parseTheme(newValue));
  });
  // A page that comes back from the browser's memory has missed the changes.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) show(readTheme());
  });
}

/** Stores the choice, and shows it in this page too, which gets no event from the browser. */
export function chooseTheme(theme: Theme): void {
  siteStorage.setItem(KEY, theme);
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue: theme }));
}

const readTheme = (): Theme => parseTheme(siteStorage.getItem(KEY));

const parseTheme = (text: string | null): Theme =>
  text === 'light' || text === 'dark' ? text : '';
