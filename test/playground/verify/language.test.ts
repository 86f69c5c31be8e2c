import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../playground/shared/languages.ts';
import { resolveLanguage } from '../../../playground/verify/language.ts';
import { MESSAGES, format } from '../../../playground/verify/messages/index.ts';
import { translateCount } from '../../../playground/verify/page.ts';
import { parsePageAddress } from '../../../playground/verify/addresses.ts';

describe('resolveLanguage', () => {
  it.each([
    { lang: 'de', browser: ['fr'], gives: 'de', why: 'prefers lang to the browser’s languages' },
    { lang: 'pt-BR', browser: [], gives: 'pt', why: 'accepts a regional variant' },
    { lang: 'IT_it', browser: [], gives: 'it', why: 'accepts capitals and an underscore' },
    { lang: 'nl', browser: ['es-MX'], gives: 'es', why: 'ignores an unsupported lang' },
    {
      lang: null,
      browser: ['nl', 'sv', 'fr-CA'],
      gives: 'fr',
      why: "uses the browser's first supported language",
    },
    { lang: null, browser: ['nl'], gives: 'en', why: 'falls back to English' },
    { lang: 'deutsch', browser: [], gives: 'en', why: 'ignores the name of a language' },
    { lang: '', browser: [], gives: 'en', why: 'ignores an empty lang' },
  ])('$why', ({ lang, browser, gives }) => expect(resolveLanguage(lang, browser)).toBe(gives));
});

describe('parsePageAddress', () => {
  it('accepts only "true" for a flag', () => {
    const { skipIntro, autoReturn } = parsePageAddress('?skip_intro=true&auto_return=1');
    expect({ skipIntro, autoReturn }).toEqual({ skipIntro: true, autoReturn: false });
  });

  it('returns null for a missing session and token', () => {
    expect(parsePageAddress('')).toMatchObject({ sessionId: null, token: null });
  });

  it.each(['sessionToken', 'handoffToken'])('reads the token from %s', (name) => {
    expect(parsePageAddress(`?sessionId=a&${name}=b`)).toMatchObject({
      sessionId: 'a',
      token: 'b',
    });
  });
});

describe('the messages', () => {
  const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

  it.each(LANGUAGES)(
    'are complete in %s and have the same placeholders as in English',
    (language) => {
      const wrong = Object.entries(MESSAGES.en).filter(([key, english]) => {
        const text = MESSAGES[language][key as keyof typeof MESSAGES.en] ?? '';
        return text.trim() === '' || `${placeholdersOf(text)}` !== `${placeholdersOf(english)}`;
      });
      expect(wrong.map(([key]) => key)).toEqual([]);
      expect(Object.keys(MESSAGES[language])).toEqual(Object.keys(MESSAGES.en));
    },
  );

  it.each(LANGUAGES.filter((language) => language !== 'en'))('are translated in %s', (language) => {
    const same = Object.entries(MESSAGES.en).filter(
      ([key, english]) => MESSAGES[language][key as keyof typeof MESSAGES.en] === english,
    );
    expect(same.map(([key]) => key)).toEqual([]);
  });

  it.each(LANGUAGES)('use the plural forms of %s', (language) => {
    const page = { language: signal(language), flow: { session: signal(null) } } as never;
    const [none, one, two, ten] = [0, 1, 2, 10].map((count) =>
      translateCount(page, 'retakesLeft', count).replaceAll(/\d+/g, '#'),
    );
    expect(one).toBe(MESSAGES[language].retakesLeft_one.replace('{count}', '#'));
    expect([two, ten]).toEqual(
      Array(2).fill(MESSAGES[language].retakesLeft_other.replace('{count}', '#')),
    );
    // French and Portuguese use the singular for zero.
    expect(none).toBe(language === 'fr' || language === 'pt' ? one : two);
  });
});

it('format() inserts values unchanged and keeps placeholders without a value', () => {
  expect(format('{merchant} asks {age} {toString}', { merchant: '{age} & $1', age: 25 })).toBe(
    '{age} & $1 asks 25 {toString}',
  );
});
