import type { DoctorUntried, DoctorUntriedCode } from '../api/doctor.ts';
import type { ScenarioName } from '../api/scenarios.ts';
import type { SessionResource } from '../api/sessions.ts';
import { acceptedCalls } from './finding.ts';
import { some } from './format.ts';
import type { Records } from './records.ts';

/** Something that an integration should try once, and how. */
interface UntriedCase {
  /** Says what has not happened yet. */
  readonly title: string;
  readonly advice: string;
  readonly isTried: (records: Records) => boolean;
  /** The command that tries it or prepares it. Null if only the page or the server can. */
  readonly command?: string;
  /** Returns better advice for what exists already, or null. */
  readonly advise?: (records: Records) => Pick<DoctorUntried, 'advice' | 'command'> | null;
  /** The outcome of the next session that tries it. */
  readonly outcome?: ScenarioName;
  /** Returns the address that tries it in a browser, or null if there is none at the moment. */
  readonly toUrl?: (records: Records) => string | null;
}

/** All cases: first those that connect an integration, then those that are easily forgotten. */
const CASES: Readonly<Record<DoctorUntriedCode, UntriedCase>> = {
  key_unused: {
    title: 'No request has used a key of the account',
    advice: 'Give the keys of the account to your server, and start it again.',
    command: 'ofage-mock --write-env .env',
    isTried: ({ calls }) => calls.some(({ tenantId }) => tenantId !== null),
  },
  page_unused: {
    title: 'Your page has not started a verification',
    advice: 'Load the script of the mock in your page, and call verify() in a click.',
    isTried: (records) => ownSessions(records).length > 0,
  },
  result_unasked: {
    title: 'Your server has not asked for a result',
    advice: 'Call validateOnce on your server when the shopper returns.',
    isTried: (records) =>
      acceptedCalls(records).some(({ operation }) => operation === 'validate') ||
      ownSessions(records).some(({ validatedAt }) => validatedAt !== null),
  },
  webhook_unreceived: {
    title: 'No endpoint of yours has accepted a webhook',
    advice: 'Add the endpoint of your server, and send it a test event.',
    command: 'ofage-mock --forward-to http://localhost:3000/webhooks/ofage',
    advise: adviseOnEndpoints,
    isTried: ({ deliveries }) => deliveries.some(({ deliveredAt }) => deliveredAt !== null),
  },
  verified_untried: tryOutcome('verified', 'verified', 'passed'),
  failed_untried: tryOutcome('failed', 'failed_age_not_met', 'failed'),
  cancelled_untried: tryOutcome('cancelled', 'cancelled', 'been cancelled'),
  expired_untried: tryOutcome('expired', 'timeout', 'expired'),
  forged_return_untried: {
    title: 'Your server has not been asked about a forged return',
    advice:
      'Start a verification in your page, and leave the hosted page open. Then open the return address that the doctor shows here, which says status=verified. Your server must ask for the result, and give no access. Finish the verification after that.',
    isTried: ({ calls }) =>
      calls.some(
        ({ operation, answer, status }) =>
          operation === 'validate' && (answer['status'] === 'pending' || status === 404),
      ),
    toUrl: (records) => {
      const session = ownSessions(records).findLast(({ status }) => status === 'pending');
      return session ? toForgedReturn(session, records.nowMs) : null;
    },
  },
};

/** Every code, in the order of the report. */
// The cast is needed, because Object.keys loses the type of the keys.
export const UNTRIED_CODES = Object.keys(CASES) as DoctorUntriedCode[];

/** Lists what has not happened in the examined traffic. */
export function findUntried(records: Records): DoctorUntried[] {
  return UNTRIED_CODES.flatMap((code) => {
    const { title, advice, command = null, outcome = null, isTried, advise, toUrl } = CASES[code];
    if (isTried(records)) return [];
    const way = advise?.(records) ?? { advice, command };
    return [{ code, title, ...way, outcome, url: toUrl?.(records) ?? null }];
  });
}

/** Returns the sessions that the merchant's page or server created. */
function ownSessions({ sessions }: Records): Records['sessions'] {
  return sessions.filter(({ isFromTool }) => !isFromTool);
}

function adviseOnEndpoints({
  hooks,
  tenants,
}: Records): Pick<DoctorUntried, 'advice' | 'command'> | null {
  const [first] = hooks;
  if (first === undefined) return null;
  // A legacy webhook has the id of its account, and there is no command that tests it.
  const isLegacy = tenants.some(({ id }) => id === first.id);
  return {
    advice: `${some(hooks.map(({ url }) => url))}: no webhook accepted yet. Send a test event there, and look at the response. Then start a verification in your page.`,
    command: isLegacy ? null : `ofage-mock test ${first.id}`,
  };
}

function tryOutcome(
  status: SessionResource['status'],
  outcome: ScenarioName,
  past: string,
): UntriedCase {
  return {
    title: `No session of your page has ${past}`,
    advice: `Choose ${outcome} on the hosted page or for the next session, and start a verification in your page.`,
    command: `ofage-mock settle SESSION ${outcome}`,
    outcome,
    isTried: (records) => ownSessions(records).some((session) => session.status === status),
  };
}

/** Returns the address to which a shopper would return, with a status that is not true. */
function toForgedReturn(
  { id, returnUrl }: { readonly id: string; readonly returnUrl: string },
  nowMs: number,
): string {
  const url = new URL(returnUrl);
  url.searchParams.set('sessionId', id);
  url.searchParams.set('status', 'verified');
  url.searchParams.set('timestamp', String(nowMs));
  return url.href;
}
