import { toLanguage, WAITING_TEXTS, type Language } from '../language.ts';
import { tryTo } from '../try-to.ts';

/**
 * Fills the blank window while the session is made. DOM calls alone: document.write cuts the opener
 * under COOP same-origin-allow-popups, and a style element or innerHTML breaks a strict policy,
 * which the window inherits.
 */
export const showPlaceholder = (popup: Window, language?: Language): unknown =>
  // Only a courtesy: a window that refuses it can still show the check.
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
