export const BRAND = 'OfAge';

/** The version of the API, as in the path `/api/v1`. */
export const API_VERSION = 'v1';

export const API_ORIGIN = 'https://api.ofage.example';
export const STAGING_API_ORIGIN = 'https://api.staging.ofage.example';
export const VERIFY_URL = 'https://verify.ofage.example/';

/** The published documentation. A test checks that it is `homepage` in package.json, followed by a slash. */
export const DOCS_URL = 'https://docs.ofage.example/';

/** The links of the SDK's messages, without the code. The mock replaces them in the SDK that it serves. */
export const SDK_HELP: string = `${DOCS_URL}errors/`;

/** Prefix of an `externalUserId` that sets the session's scenario. */
export const SCENARIO_PREFIX = 'ofage_test:';

/** The mark of the traffic of the playground's labs. The query of their webhook URLs contains it. */
export const LAB_MARK = 'ofage_lab';
/** Prefix of an `externalUserId` of the labs. */
export const LAB_PREFIX = `${LAB_MARK}:`;
/** Header that marks a request of the labs. */
export const LAB_HEADER = 'x-ofage-lab';

/** Header that marks a request that the console itself sends. */
export const CONSOLE_HEADER = 'x-ofage-console';

/** Path of the webhook endpoint of the demo shop's own server. A copy of that server has the same path. */
export const SHOP_WEBHOOK_PATH = '/shop/webhooks/ofage';
/** The mark of the demo shop's endpoint. The query of its URL contains it. */
export const DEMO_MARK = 'ofage_demo';

/** Tells whether a webhook URL is that of the demo shop's own server, beside the mock or in a static page. */
export function isDemoUrl(url: string): boolean {
  return new URL(url).searchParams.has(DEMO_MARK);
}

/** Path to which the shop's pages report what they do with the SDK. */
export const REPORTS_PATH = '/reports/v1';
