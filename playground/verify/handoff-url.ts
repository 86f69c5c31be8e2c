import { appendQuery } from '../shared/append-query.ts';
import { PSEUDO, type PageLanguage } from './language.ts';

/** Returns the second device's link with the shopper's language added. */
export function toHandoffUrl(handoffUrl: string, language: PageLanguage): string {
  return language === PSEUDO ? handoffUrl : appendQuery(handoffUrl, { lang: language });
}
