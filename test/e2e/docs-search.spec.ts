/** Asks the search of the documentation site what merchants ask. */
import { expect } from '@playwright/test';
import { startStaticSite } from './support/static-site.ts';
import { test } from './support/test.ts';

/** Questions in the words of a merchant, with the page that answers, and its heading. */
const QUESTIONS: readonly (readonly [question: string, page: string, heading?: string])[] = [
  ['GDPR', 'guides/trust/', 'Personal data'],
  ['privacy policy', 'guides/trust/', 'Personal data'],
  ['cookies', 'guides/trust/', 'Personal data'],
  ['cookie banner', 'guides/trust/', 'Personal data'],
  ['where are the pictures stored', 'guides/trust/', 'Personal data'],
  ['CSP', 'guides/script-tag/', 'Content security policy'],
  ['CDN', 'guides/script-tag/', 'With a fixed hash'],
  ['SRI', 'guides/script-tag/', 'With a fixed hash'],
  ['drawing', 'guides/running-the-mock/', 'A drawing of each check'],
  ['Mermaid', 'guides/running-the-mock/', 'A drawing of each check'],
  ['docker', 'guides/running-the-mock/', 'Options'],
  ['docker container', 'guides/troubleshooting/', 'The mock'],
  ['tunnel', 'guides/running-the-mock/', 'Try it on a phone'],
  ['ngrok tunnel', 'guides/running-the-mock/', 'Try it on a phone'],
  ['phone', 'guides/running-the-mock/', 'Try it on a phone'],
  ['test on iPhone', 'guides/running-the-mock/', 'Ten minutes with an iPhone and an Android phone'],
  ['localhost', 'guides/running-the-mock/', 'Use it in your page and your server'],
  ['how much does it cost', 'guides/questions/', 'How much does it cost, and who pays?'],
  ['who pays', 'guides/questions/', 'How much does it cost, and who pays?'],
  ['refund', 'guides/questions/', 'How much does it cost, and who pays?'],
  [
    'Shopify',
    'guides/questions/',
    'Does it work with Shopify, Wix or another shop system without a server of my own?',
  ],
  [
    'WordPress',
    'guides/questions/',
    'Does it work with Shopify, Wix or another shop system without a server of my own?',
  ],
  [
    'shop system without a server',
    'guides/questions/',
    'Does it work with Shopify, Wix or another shop system without a server of my own?',
  ],
  ['staging environment', 'guides/questions/', 'Is there a staging environment?'],
  [
    'guest checkout',
    'guides/questions/',
    'How do I handle a guest checkout, without a customer account?',
  ],
  ['rejected by mistake', 'guides/questions/', 'Can a shopper be rejected by mistake?'],
  ['uptime', 'guides/questions/', 'Where does it run, and how reliable is it?'],
  ['without a camera', 'guides/languages/', 'Your button'],
  ['iframe', 'guides/popup/', 'If your page is in a frame'],
  ['test card', 'guides/scenarios/', 'Choose an outcome'],
  ['webhook twice', 'guides/webhooks/', 'Once per event'],
  ['webhook retry', 'guides/limits/', 'How webhooks are delivered'],
  ['Safari', 'guides/limits/', 'Supported browsers'],
  ['age 21', 'guides/server/', 'The minimum age'],
  ['corporate proxy', 'guides/troubleshooting/', 'On the server'],
  ['firewall', 'guides/troubleshooting/', 'In the page'],
  ['ad blocker', 'guides/troubleshooting/', 'In the page'],
  ['webhook arrives twice', 'guides/webhooks/', 'Once per event'],
  // The words of these stand in several sections of their page.
  ['minimum age 18', 'guides/server/'],
  ['rate limit', 'guides/limits/'],
  ['how long is a session valid', 'guides/limits/'],
  ['personal data', 'guides/trust/'],
  ['supported browsers', 'guides/limits/'],
  ['webview', 'guides/limits/'],
  ['rotate key', 'guides/go-live/'],
  ['returning customer', 'guides/server/'],
  ['content security policy', 'guides/script-tag/'],
  ['webhook signature python', 'guides/signatures/'],
  ['minimum age 21', 'guides/server/'],
  ['popup blocked', 'guides/popup/'],
  ['retries webhook', 'guides/limits/'],
  ['express server', 'guides/server/'],
  ['react component', 'guides/react-vue-svelte/'],
  ['next.js route', 'guides/frameworks/'],
  ['vite development mock', 'guides/react-vue-svelte/'],
  ['test with playwright', 'guides/browser-tests/'],
  ['test with vitest', 'guides/unit-tests/'],
  ['github actions', 'guides/browser-tests/'],
  ['too young test outcome', 'guides/scenarios/'],
  ['move the clock', 'guides/scenarios/'],
  ['port in use', 'guides/running-the-mock/'],
  ['go to production', 'guides/go-live/'],
  ['language of the page', 'guides/languages/'],
  ['screen reader', 'guides/languages/'],
  ['how long keep result', 'guides/trust/'],
  ['session_already_used', 'errors/session_already_used/'],
  ['challengeAge', 'guides/server/'],
];

interface FoundPage {
  readonly page: string;
  readonly headings: readonly string[];
}

test('the search answers the questions of merchants among its first three results', async ({
  page,
  shared,
}, { file }) => {
  const docs = await shared(file, () => startStaticSite('dist-docs'));
  await page.goto(`${docs.url}guides/redirect/`);
  // The first search of the page loads the engine and sets its options.
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('textbox', { name: 'Search' }).fill('popup');
  await expect(page.getByRole('link', { name: 'popup_blocked' }).first()).toBeVisible();
  const found = await page.evaluate(
    findFirstPages,
    QUESTIONS.map(([question]) => question),
  );
  const unanswered = QUESTIONS.flatMap(([question, path, heading], index) => {
    const pages = found[index] ?? [];
    const answer = pages.find((one) => one.page === path);
    const isAnswered =
      answer !== undefined && (heading === undefined || answer.headings.includes(heading));
    return isAnswered ? [] : [`${question}: ${JSON.stringify(pages)}`];
  });
  expect(unanswered).toEqual([]);
});

/** Runs in the page: asks the search engine of the site, and returns the first three pages for each question. */
async function findFirstPages(questions: readonly string[]): Promise<FoundPage[][]> {
  const engine = await import(new URL('../../pagefind/pagefind.js', location.href).href);
  const answers: FoundPage[][] = [];
  // One after the other, because the engine keeps each page and marks the words of the last question in it.
  for (const question of questions) {
    const { results } = await engine.search(question);
    const pages: { url: string; sub_results: { title: string }[] }[] = await Promise.all(
      results.slice(0, 3).map((result: { data(): unknown }) => result.data()),
    );
    const found = pages.map(({ url, sub_results: parts }) => ({
      page: url.replace(/^.*?\/(?=guides|errors|findings|reference)/, ''),
      headings: parts.map(({ title }) => title),
    }));
    answers.push(found);
  }
  return answers;
}
