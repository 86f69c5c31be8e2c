import type {
  DoctorCode,
  DoctorReport,
  EndpointResource,
  FaultResource,
  KeyPairResource,
  LegacyWebhookResource,
  TenantResource,
} from 'ofage-mock';
import type { Tone } from '../shared/kit/chip.tsx';
import { toCount } from '../../mock-server/words/counts.ts';
import { describeProblem, describeState, sortBySeverity, toStateTone } from './endpoint-view.ts';
import { explainPair, toPairName } from './key-view.ts';
import type { RouteTarget } from './route.ts';

export interface AccountAtAGlance {
  readonly tenant: TenantResource;
  /** Null if they could not be read. */
  readonly pairs: readonly KeyPairResource[] | null;
  /** Null if they, or the legacy webhook, could not be read. */
  readonly endpoints: readonly EndpointResource[] | null;
  readonly legacy: LegacyWebhookResource | null;
  readonly faults: readonly FaultResource[];
  readonly nextOutcomes: readonly string[];
  readonly findings: DoctorReport['findings'];
  readonly untried: DoctorReport['untried'];
  /** True if the first steps are shown, which say themselves what is missing. */
  readonly hasSteps: boolean;
}

/** Something that needs the merchant's attention, or that a developer should know about. */
export interface AttentionLine {
  readonly id: string;
  readonly tone: Tone;
  readonly badge: string;
  readonly text: string;
  /** The time at which it began or, for a finding of the doctor, was last seen. Null if it is not known. */
  readonly time: { readonly word: 'began' | 'last seen'; readonly at: string } | null;
  /** The action that it needs, and the page on which to take it. */
  readonly action: string;
  readonly to: RouteTarget;
}

/** The tones from the most to the least urgent. */
const URGENCY: readonly Tone[] = ['bad', 'warn', 'accent', 'neutral', 'good'];

/** Returns what needs attention, the most urgent first. Empty if all is well. */
export function toAttention(account: AccountAtAGlance): AttentionLine[] {
  return [
    ...toTenantLines(account),
    ...toKeyLines(account.pairs),
    ...toWebhookLines(account),
    ...toDoctorLines(account.findings),
    ...toSimulationLines(account),
    ...toUntriedLines(account),
  ].sort((a, b) => URGENCY.indexOf(a.tone) - URGENCY.indexOf(b.tone));
}

function toTenantLines({ tenant: { billingBlock } }: AccountAtAGlance): AttentionLine[] {
  if (!billingBlock) return [];
  const { code, message } = billingBlock;
  const text = `Billing: ${message} (${code})`;
  const to = { page: 'simulate' } as const;
  const action = 'Remove the block';
  return [{ id: 'billing', tone: 'bad', badge: 'blocked', text, time: null, action, to }];
}

function toKeyLines(pairs: AccountAtAGlance['pairs']): AttentionLine[] {
  if (pairs === null) return [];
  const to = { page: 'keys' } as const;
  if (pairs.length === 0) {
    const text = 'No key pair yet, so no session can start';
    const action = 'Create a key pair';
    return [{ id: 'keys', tone: 'warn', badge: 'no keys', text, time: null, action, to }];
  }
  const shared = { badge: 'keys', time: null, to };
  const text = 'No key pair can be used';
  const none: AttentionLine[] = pairs.some((pair) => explainPair(pair) === null)
    ? []
    : [{ ...shared, id: 'keys', tone: 'bad', text, action: 'Create a key pair' }];
  const problems = pairs.flatMap((pair): AttentionLine[] => {
    const why = explainPair(pair);
    if (why === null || isRevoked(pair)) return [];
    const what = `Pair ${toPairName(pair.pairId)}: ${why}`;
    const id = `keys:${pair.pairId}`;
    return [{ ...shared, id, tone: 'warn', text: what, action: 'Check the keys' }];
  });
  return [...none, ...problems];
}

/**
 * Returns true if both keys are revoked. Such a pair was retired on purpose, so it is not reported as a
 * problem.
 */
function isRevoked({ publishable, secret }: KeyPairResource): boolean {
  return publishable.status === 'revoked' && secret.status === 'revoked';
}

function toWebhookLines({ endpoints, legacy, hasSteps }: AccountAtAGlance): AttentionLine[] {
  if (endpoints === null) return [];
  const whole = { page: 'webhooks' } as const;
  const own = endpoints.filter(({ isLab }) => !isLab);
  if (own.length === 0 && !legacy?.isActive) {
    if (hasSteps) return [];
    const text = 'No endpoint: your server gets no webhooks';
    const action = 'Add an endpoint';
    const id = 'webhooks';
    return [{ id, tone: 'neutral', badge: 'no webhook', text, time: null, action, to: whole }];
  }
  const lines = sortBySeverity(own).flatMap((endpoint): AttentionLine[] => {
    const problem = describeProblem(endpoint);
    if (!problem) return [];
    const { id, health } = endpoint;
    const shown = { tone: toStateTone(health), badge: describeState(health) };
    const { text, since, action } = problem;
    const to = { page: 'webhooks', id } as const;
    return [{ id: `webhook:${id}`, ...shown, text, time: toTime(since), action, to }];
  });
  if (!legacy?.isActive) return lines;
  const { url, health } = legacy;
  const problem = describeProblem(legacy);
  const text = problem?.text ?? `Legacy webhook to ${url}: migrate it to an endpoint`;
  const legacyLine: AttentionLine = {
    id: 'legacy',
    tone: problem ? toStateTone(health) : 'warn',
    badge: describeState(health),
    text,
    time: toTime(problem?.since ?? null),
    action: 'Migrate it',
    to: whole,
  };
  return [...lines, legacyLine];
}

/** The findings about endpoints that fail or are paused. Each of these endpoints has its own line. */
const OF_WEBHOOKS: readonly DoctorCode[] = [
  'webhook_paused',
  'webhook_rejected',
  'webhook_unreachable',
];

function toDoctorLines(findings: DoctorReport['findings']): AttentionLine[] {
  return findings
    .filter(({ code, severity }) => severity === 'problem' && !OF_WEBHOOKS.includes(code))
    .map(({ code, title, lastSeenAt }) => ({
      id: `doctor:${code}`,
      tone: 'bad',
      badge: 'doctor',
      text: title,
      time: lastSeenAt === null ? null : { word: 'last seen', at: lastSeenAt },
      action: 'See the finding',
      to: { page: 'doctor' },
    }));
}

function toSimulationLines({ faults, nextOutcomes }: AccountAtAGlance): AttentionLine[] {
  const to = { page: 'simulate' } as const;
  const lines = faults.map((one): AttentionLine => {
    const { operation, fault, remaining, createdAt } = one;
    const text = `${toNext(remaining, `${operation} request`)}: ${fault}`;
    const shared = { tone: 'warn', badge: 'fault', action: 'Remove the fault', to } as const;
    return { id: `fault:${one.id}`, text, time: toTime(createdAt), ...shared };
  });
  if (nextOutcomes.length === 0) return lines;
  const text = `${toNext(nextOutcomes.length, 'session')}: ${nextOutcomes.join(', ')}`;
  const shared = { tone: 'accent', badge: 'queued', action: 'Change the queue', to } as const;
  return [...lines, { id: 'outcomes', text, time: null, ...shared }];
}

/** Before the first session, nothing was tried. */
function toUntriedLines({ untried, hasSteps }: AccountAtAGlance): AttentionLine[] {
  const [first] = untried;
  if (!first || hasSteps || untried.some(({ code }) => code === 'page_unused')) return [];
  const more = untried.length === 1 ? '' : `, and ${untried.length - 1} more`;
  const text = `${first.title}${more}`;
  const to = { page: 'doctor' } as const;
  const action = 'Try it';
  return [{ id: 'untried', tone: 'neutral', badge: 'not tried', text, time: null, action, to }];
}

const toTime = (began: string | null): AttentionLine['time'] =>
  began === null ? null : { word: 'began', at: began };

/** `The next session`, `The next 2 sessions` */
const toNext = (count: number, noun: string): string =>
  `The next ${count === 1 ? noun : toCount(count, noun)}`;
