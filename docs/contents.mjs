/**
 * The pages of the site, in the order in which a reader needs them. An entry is a file below docs/, or a name
 * in capitals for pages that the build creates. The other files of docs/ are for the repository only.
 */
export const CONTENTS = [
  {
    label: 'Start',
    pages: ['README.md', 'guides/five-minutes.md'],
  },
  {
    label: 'Integrate',
    pages: [
      'guides/redirect.md',
      'guides/popup.md',
      'guides/server.md',
      'guides/webhooks.md',
      'guides/signatures.md',
      'guides/react-vue-svelte.md',
      'guides/frameworks.md',
      'guides/script-tag.md',
      'guides/languages.md',
    ],
  },
  {
    label: 'Test',
    pages: [
      'guides/running-the-mock.md',
      'guides/unit-tests.md',
      'guides/browser-tests.md',
      'guides/scenarios.md',
    ],
  },
  {
    label: 'Go live',
    pages: [
      'guides/questions.md',
      'guides/trust.md',
      'guides/go-live.md',
      'guides/troubleshooting.md',
    ],
  },
  {
    label: 'Reference',
    pages: [
      'errors.md',
      'guides/limits.md',
      'CLI',
      'HTTP',
      'WEBHOOKS',
      'TYPESCRIPT',
      '../CHANGELOG.md',
    ],
  },
];

/** The pages that are files, as paths relative to docs/. */
export const PAGES = CONTENTS.flatMap(({ pages }) => pages).filter((page) => page.endsWith('.md'));
