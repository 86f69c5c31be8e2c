/// <reference types="vite/client" />
import type { DoctorCode } from 'ofage/mock';

/** A guide of docs/guides. */
export interface Guide {
  /** The guide's title. */
  readonly name: string;
  /** The guide's file in docs/guides. */
  readonly file: string;
}

const DASHBOARD: Guide = { name: 'Run the mock', file: 'running-the-mock.md' };
const DELIVERY: Guide = { name: 'Sessions, delivery and limits', file: 'limits.md' };
const DOCTOR: Guide = { name: 'Fix problems', file: 'troubleshooting.md' };
const MOCK: Guide = { name: 'Running the mock', file: 'running-the-mock.md' };
const REDIRECT: Guide = { name: 'Redirect', file: 'redirect.md' };
const SCENARIOS: Guide = { name: 'Scenarios', file: 'scenarios.md' };
const WEBHOOKS: Guide = { name: 'Webhooks', file: 'webhooks.md' };

/** The guide that says more about each finding. */
export const GUIDES: Readonly<Record<DoctorCode, Guide>> = {
  nothing_seen: MOCK,
  access_not_verified: REDIRECT,
  access_before_result: REDIRECT,
  url_status_trusted: REDIRECT,
  event_processed_twice: WEBHOOKS,
  result_never_asked: REDIRECT,
  result_by_webhook_alone: WEBHOOKS,
  result_asked_too_early: REDIRECT,
  result_asked_too_late: REDIRECT,
  result_asked_twice: REDIRECT,
  session_token_sent: REDIRECT,
  session_of_another_account: REDIRECT,
  session_unknown: MOCK,
  secret_key_in_browser: DASHBOARD,
  publishable_key_to_validate: REDIRECT,
  key_missing: MOCK,
  key_refused: DASHBOARD,
  policy_with_publishable_key: DASHBOARD,
  return_url_not_allowed: DASHBOARD,
  request_invalid: DOCTOR,
  path_unknown: MOCK,
  rate_limited: DOCTOR,
  launch_unavailable: DASHBOARD,
  user_missing: REDIRECT,
  webhook_missing: WEBHOOKS,
  webhook_unsigned: WEBHOOKS,
  webhook_not_https: DELIVERY,
  webhook_not_public: DELIVERY,
  webhook_paused: DELIVERY,
  webhook_rejected: DELIVERY,
  webhook_unreachable: DELIVERY,
  webhook_timeout: DELIVERY,
  webhook_slow: DELIVERY,
  webhook_redirected: DELIVERY,
  webhook_repeated: WEBHOOKS,
  all_well: SCENARIOS,
};

/** Returns the path of a guide's page in the documentation's site. */
export const toGuidePath = ({ file }: Guide): string => `guides/${file.replace(/\.md$/, '/')}`;

// Only the guides above are imported, because each text becomes a file of the package. Vite requires a
// literal pattern.
const TEXTS = import.meta.glob<string>(
  '../../docs/guides/{limits,redirect,running-the-mock,scenarios,troubleshooting,webhooks}.md',
  { query: '?raw', import: 'default' },
);

/** Loads the text of a guide, in Markdown. */
export async function readGuide({ file }: Guide): Promise<string> {
  const load = TEXTS[`../../docs/guides/${file}`];
  if (!load) throw new Error(`Cannot find the guide ${file}`);
  return load();
}
