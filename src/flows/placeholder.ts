import { toLanguage, WAITING_TEXTS, type Language } from '../language.ts';
import { tryTo } from '../try-to.ts';

/**
 * Fills the blank window while the session is created. Uses only DOM calls, because document.write severs
 * the opener under COOP same-origin-allow-popups, and a style element or innerHTML may violate the page's
 * Content-Security-Policy, which the window inherits.
 */
export const showPlaceholder = (popup: Window, language?: Language): unknown =>
  // Best effort: the verification works without the placeholder text.
  tryTo(() => {
    const shown = popup.document;
    const lang =
      toLanguage(language || document.documentElement.lang || navigator.language) || 'en';
    const text = WAITING_TEXTS[lang];
    shown.documentElement.lang = lang;
    shown.title = text;
    shown.body.textContent = text;
    shown.body.style.margin = '40%';
  });
