import { appendQuery } from '../shared/append-query.ts';
import { PSEUDO, type PageLanguage } from './language.ts';

/** The second device's link as it came, and with it the language that the shopper reads here. */
export function toHandoffUrl(handoffUrl: string, language: PageLanguage): string {
  return language === PSEUDO ? handoffUrl : appendQuery(handoffUrl, { lang: language });
}
