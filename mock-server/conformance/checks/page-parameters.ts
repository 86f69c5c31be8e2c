import { ensure } from '../outcome.ts';
import { appendQuery } from '../pages/create-visits.ts';
import type { World } from '../world.ts';
import { defineChecks, type CheckRow } from './define.ts';

/** Opens the page of a session with parameters, and checks the language that it declares. */
async function expectLanguage(
  world: World,
  verifyUrl: string,
  { parameters, locale, language }: LanguageCase,
): Promise<void> {
  const page = await world.openPage(appendQuery(verifyUrl, parameters), locale);
  // A page may change its language once its script has run.
  const isExpected = await page.waitUntil(
    async () => primaryOf(await page.language()) === language,
  );
  const cause = `${parameters ?? 'no lang'} in a browser with the language ${locale}`;
  ensure(
    isExpected,
    `the language ${language} for ${cause}`,
    (await page.language()) || 'no lang attribute',
  );
  await page.close();
}

const primaryOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';

interface LanguageCase {
  readonly parameters?: string;
  /** The language of the browser. */
  readonly locale: string;
  readonly language: string;
}

interface LanguageRow {
  readonly id: string;
  readonly sentence: string;
  readonly cases: readonly LanguageCase[];
}

const LANGUAGES: readonly LanguageRow[] = [
  {
    id: 'values',
    sentence:
      'The parameter lang chooses one of six languages, and has priority over the language of the browser',
    cases: ['en', 'de', 'es', 'fr', 'pt', 'it'].map((language) => ({
      parameters: `lang=${language}`,
      locale: language === 'fr' ? 'en' : 'fr',
      language,
    })),
  },
  {
    id: 'variants',
    sentence: 'A locale such as pt-BR counts as its language',
    cases: ['pt-BR', 'de-DE', 'it-IT'].map((locale) => ({
      parameters: `lang=${locale}`,
      locale: 'en',
      language: primaryOf(locale),
    })),
  },
  {
    id: 'absent',
    sentence: 'If the parameter lang is absent, the page has the language of the browser',
    cases: [{ locale: 'fr', language: 'fr' }],
  },
  {
    id: 'unsupported',
    sentence: 'An unsupported lang is ignored, so the page has the language of the browser',
    cases: [{ parameters: 'lang=sv', locale: 'fr', language: 'fr' }],
  },
  {
    id: 'english',
    sentence: 'The page is in English if neither lang nor the browser has a supported language',
    cases: [{ parameters: 'lang=sv', locale: 'ja', language: 'en' }],
  },
];

const ROWS: readonly CheckRow[] = [
  {
    id: 'opens',
    sentence: 'The verifyUrl, exactly as returned, is the address of a page',
    async run(world) {
      const { verifyUrl } = await world.create();
      const { status, contentType } = await world.openPage(verifyUrl);
      const isPage = status === 200 && contentType.startsWith('text/html');
      ensure(isPage, 'status 200 and text/html', `${status} and ${contentType}`);
    },
  },
  ...LANGUAGES.map(({ id, sentence, cases }): CheckRow => ({
    id: `lang.${id}`,
    sentence,
    // The specification does not say how a page declares its language.
    level: 'should',
    async run(world) {
      const { verifyUrl } = await world.create();
      for (const one of cases) await expectLanguage(world, verifyUrl, one);
    },
  })),
  {
    id: 'skip_intro',
    sentence: 'The page asks for the camera at once only with skip_intro=true',
    async run(world) {
      const [first, second] = [await world.create(), await world.create()];
      const withIntro = await world.openPage(first.verifyUrl);
      const page = await world.openPage(appendQuery(second.verifyUrl, 'skip_intro=true'));
      const isAsked = await page.waitUntil(async () => (await page.cameraRequests()) > 0);
      ensure(isAsked, 'a request for the camera (getUserMedia)', 'no request for it');
      const early = await withIntro.cameraRequests();
      ensure(early === 0, 'no request for the camera without skip_intro', `${early}`);
    },
  },
];

/** Checks of the parameters that the shop appends to the verifyUrl. */
export const PAGE_PARAMETER_CHECKS = defineChecks(
  { section: 'Verification UI query parameters', prefix: 'page', opensPages: true },
  ROWS,
);
