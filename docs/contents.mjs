/**
 * The pages of the site, in the order in which a reader needs them. An entry is a file, a folder of files
 * (`decisions/`), or a name in capitals for pages that the build creates. Paths are relative to docs/. The
 * build fails for a page that is in no section, and for one that is missing.
 */
export const CONTENTS = [
  {
    label: 'Start',
    pages: ['README.md', 'guides/five-minutes.md', 'guides/choose-a-mode.md'],
  },
  {
    label: 'Integrate',
    pages: [
      'guides/script-tag.md',
      'guides/redirect.md',
      'guides/popup.md',
      'guides/return-page.md',
      'guides/csp.md',
      'guides/server.md',
      'guides/webhooks.md',
      'guides/signatures.md',
      'guides/react.md',
      'guides/vue.md',
      'guides/svelte.md',
      'guides/ssr.md',
      'guides/frameworks.md',
      'guides/accessibility.md',
      'guides/localisation.md',
      'guides/works-with.md',
    ],
  },
  {
    label: 'Test',
    pages: [
      'guides/running-the-mock.md',
      'guides/testing-with-vitest.md',
      'guides/testing-with-jest.md',
      'guides/testing-with-node-test.md',
      'guides/testing-with-playwright.md',
      'guides/testing-with-cypress.md',
      'guides/continuous-integration.md',
      'guides/scenarios.md',
      'guides/control-api.md',
    ],
  },
  {
    label: 'Understand',
    pages: [
      'guides/threat-model.md',
      'guides/life-of-a-session.md',
      'guides/webhook-delivery.md',
      'guides/mock-and-production.md',
      'guides/is-the-mock-like-production.md',
      'guides/hosted-page.md',
      'browser-facts.md',
      'glossary.md',
    ],
  },
  {
    label: 'Go live',
    pages: ['guides/go-live.md', 'guides/doctor.md', 'guides/troubleshooting.md'],
  },
  {
    label: 'Try it live',
    pages: ['guides/playground.md', 'guides/inspector.md', 'guides/dashboard.md', 'guides/labs.md'],
  },
  {
    label: 'Reference',
    pages: [
      'errors.md',
      'server-errors.md',
      'CLI',
      'HTTP',
      'WEBHOOKS',
      'TYPESCRIPT',
      '../CHANGELOG.md',
    ],
  },
  {
    label: 'Contribute',
    collapsed: true,
    pages: [
      '../CONTRIBUTING.md',
      'architecture.md',
      'adding.md',
      'delivery-invariants.md',
      'decisions/',
      '../SECURITY.md',
    ],
  },
];
