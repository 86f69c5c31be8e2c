/** The key under which the documentation's site stores the choice: 'light', 'dark', or '' for that of the system. */
const KEY = 'starlight-theme';

/** Gives this page the theme that was chosen in the documentation, which has the same origin. */
export function followChosenTheme(): void {
  showTheme();
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) showTheme();
  });
}

function showTheme(): void {
  const theme = readTheme();
  const isChosen = theme === 'light' || theme === 'dark';
  document.documentElement.style.colorScheme = isChosen ? theme : '';
}

function readTheme(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // the browser blocks storage
  }
}
