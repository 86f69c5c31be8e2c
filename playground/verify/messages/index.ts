import type { Language } from '../../shared/languages.ts';
import { de } from './de.ts';
import { type MessageKey, type Messages, en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { pt } from './pt.ts';

export type { MessageKey, Messages, PluralKey } from './en.ts';

export const MESSAGES: Readonly<Record<Language, Messages>> = { en, de, es, fr, pt, it };

/**
 * Fills in `{placeholders}`. A placeholder without a value stays visible, so that the mistake is noticed.
 */
export function format(
  message: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}

export const isMessageKey = (key: string): key is MessageKey => Object.hasOwn(en, key);
