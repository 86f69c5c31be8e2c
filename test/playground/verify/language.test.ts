import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import {
  LANGUAGES,
  LANGUAGE_NAMES,
  resolveLanguage,
  toLocale,
} from '../../../playground/verify/language.ts';
import { MESSAGES, format } from '../../../playground/verify/messages/index.ts';
import { toPseudo } from '../../../playground/verify/messages/pseudo.ts';
import { translateCount } from '../../../playground/verify/page.ts';
import { parsePageAddress } from '../../../playground/verify/page-address.ts';

describe('resolveLanguage', () => {
  it.each([
    { lang: 'de', browser: ['fr'], gives: 'de', why: 'lang comes before the browser' },
    { lang: 'pt-BR', browser: [], gives: 'pt', why: 'a variant is its language' },
    { lang: 'IT_it', browser: [], gives: 'it', why: 'in any spelling' },
    { lang: 'nl', browser: ['es-MX'], gives: 'es', why: 'an unsupported lang is ignored' },
    {
      lang: null,
      browser: ['nl', 'sv', 'fr-CA'],
      gives: 'fr',
      why: "the browser's first that we speak",
    },
    { lang: null, browser: ['nl'], gives: 'en', why: 'else English' },
    { lang: 'deutsch', browser: [], gives: 'en', why: 'a name is no tag' },
    { lang: '', browser: [], gives: 'en', why: 'nothing at all' },
  ])('$why', ({ lang, browser, gives }) => expect(resolveLanguage(lang, browser)).toBe(gives));
});

describe('the pseudo-language', () => {
  it.each([
    { hostname: '127.0.0.1', gives: 'x-pseudo', why: 'is there for whoever works on the page' },
    { hostname: 'verify.ofage.example', gives: 'de', why: 'is any unknown value to a shopper' },
  ])('$why', ({ hostname, gives }) => {
    expect(resolveLanguage('x-pseudo', ['de'], hostname)).toBe(gives);
  });

  it('changes every letter that can be and no placeholder', () => {
    expect(toPseudo('{merchant} asks')).toBe('⟦{merchant} ášķš'.replace('ķ', 'k') + ' · · ·⟧');
  });

  it.each(LANGUAGES)('of all languages, %s is one that Intl knows', (language) => {
    expect(Intl.DateTimeFormat.supportedLocalesOf(toLocale(language))).toEqual([language]);
  });
});

describe('parsePageAddress', () => {
  it('takes only "true" for true', () => {
    const { skipIntro, autoReturn } = parsePageAddress('?skip_intro=true&auto_return=1');
    expect({ skipIntro, autoReturn }).toEqual({ skipIntro: true, autoReturn: false });
  });

  it('has no session when the address carries none', () => {
    expect(parsePageAddress('')).toMatchObject({ sessionId: null, token: null });
  });

  it.each(['sessionToken', 'handoffToken'])('takes the token by the name of %s', (name) => {
    expect(parsePageAddress(`?sessionId=a&${name}=b`)).toMatchObject({
      sessionId: 'a',
      token: 'b',
    });
  });
});

describe('the messages', () => {
  const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

  it('name every language by itself', () => {
    expect(Object.keys(LANGUAGE_NAMES).toSorted()).toEqual(LANGUAGES.toSorted());
  });

  it.each(LANGUAGES)('are complete in %s, with the same placeholders as in English', (language) => {
    const wrong = Object.entries(MESSAGES.en).filter(([key, english]) => {
      const text = MESSAGES[language][key as keyof typeof MESSAGES.en] ?? '';
      return text.trim() === '' || `${placeholdersOf(text)}` !== `${placeholdersOf(english)}`;
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
    expect(Object.keys(MESSAGES[language])).toEqual(Object.keys(MESSAGES.en));
  });

  it.each(LANGUAGES.filter((language) => language !== 'en'))('are translated in %s', (language) => {
    const same = Object.entries(MESSAGES.en).filter(
      ([key, english]) => MESSAGES[language][key as keyof typeof MESSAGES.en] === english,
    );
    expect(same.map(([key]) => key)).toEqual([]);
  });

  it.each(LANGUAGES)('count in %s as the language does', (language) => {
    const page = { language: signal(language), flow: { session: signal(null) } } as never;
    const [none, one, two, ten] = [0, 1, 2, 10].map((count) =>
      translateCount(page, 'retakesLeft', count).replaceAll(/\d+/g, '#'),
    );
    expect(one).toBe(MESSAGES[language].retakesLeft_one.replace('{count}', '#'));
    expect([two, ten]).toEqual(
      Array(2).fill(MESSAGES[language].retakesLeft_other.replace('{count}', '#')),
    );
    // French and Portuguese count nothing as one.
    expect(none).toBe(language === 'fr' || language === 'pt' ? one : two);
  });

  it.each(LANGUAGES)(
    'say in %s that the check was passed, and not only that it is over',
    (language) => {
      expect(MESSAGES[language].verifiedTitle).not.toMatch(
        /over|finish|complet|conclu|termin|finit|vorbei|abgeschlossen/i,
      );
    },
  );

  it.each(LANGUAGES)('say in %s until when with nothing that fits only some hours', (language) => {
    // One o'clock is singular: hasta la 1:05, fino all’1:05, até à 1:05.
    expect(MESSAGES[language].openUntil).not.toMatch(/(\b(las?|alle) |all’|às )\{time\}/);
  });

  it('keep French punctuation with its word: a narrow space, a wider one at colons and quotes', () => {
    const wrong = Object.entries(MESSAGES.fr).filter(([, text]) =>
      /[^\u202F][;!?]|[^\u00A0][:»]|«[^\u00A0]/.test(text),
    );
    expect(wrong).toEqual([]);
  });

  it('fill in values as they are, and show a placeholder that has none', () => {
    expect(format('{merchant} asks {age} {toString}', { merchant: '{age} & $1', age: 25 })).toBe(
      '{age} & $1 asks 25 {toString}',
    );
  });
});
