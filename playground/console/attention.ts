import type {
  DoctorReport,
  EndpointResource,
  FaultResource,
  KeyPairResource,
  LegacyWebhookResource,
  TenantResource,
} from 'ofage-mock';
import type { Tone } from '../shared/kit/chip.tsx';
import { toCount } from '../shared/to-count.ts';
import {
  describePausedWebhook,
  describeState,
  sortBySeverity,
  toShownState,
  toStateTone,
} from './endpoint-view.ts';
import { explainPair, toPairName } from './key-view.ts';
import type { RouteTarget } from './route.ts';

export interface AccountAtAGlance {
  readonly tenant: TenantResource;
  readonly pairs: readonly KeyPairResource[];
  readonly endpoints: readonly EndpointResource[];
  readonly legacy: LegacyWebhookResource | null;
  readonly faults: readonly FaultResource[];
  readonly nextOutcomes: readonly string[];
  readonly findings: DoctorReport['findings'];
}

/** Something that needs the merchant's attention, or that a developer should know about. */
export interface AttentionLine {
  readonly id: string;
  readonly tone: Tone;
  readonly badge: string;
  readonly text: string;
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
  ].sort((a, b) => URGENCY.indexOf(a.tone) - URGENCY.indexOf(b.tone));
}

function toTenantLines({ tenant: { billingBlock } }: AccountAtAGlance): AttentionLine[] {
  if (!billingBlock) return [];
  const { code, message } = billingBlock;
  const text = `Billing: ${message} (${code})`;
  return [{ id: 'billing', tone: 'bad', badge: 'blocked', text, to: { page: 'simulate' } }];
}

function toKeyLines(pairs: readonly KeyPairResource[]): AttentionLine[] {
  const to = { page: 'keys' } as const;
  if (pairs.length === 0) {
    const text = 'No key pair yet. Create one to start sessions';
    return [{ id: 'keys', tone: 'warn', badge: 'no keys', text, to }];
  }
  const none: AttentionLine[] = pairs.some((pair) => explainPair(pair) === null)
    ? []
    : [{ id: 'keys', tone: 'bad', badge: 'keys', text: 'No key pair can be used', to }];
  const problems = pairs.flatMap((pair): AttentionLine[] => {
    const why = explainPair(pair);
    if (why === null || isRevoked(pair)) return [];
    const text = `Pair ${toPairName(pair.pairId)}: ${why}`;
    return [{ id: `keys:${pair.pairId}`, tone: 'warn', badge: 'keys', text, to }];
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

function toWebhookLines({ endpoints, legacy }: AccountAtAGlance): AttentionLine[] {
  const whole = { page: 'webhooks' } as const;
  if (endpoints.length === 0 && !legacy) {
    const text = 'No endpoint: your server gets no webhooks';
    return [{ id: 'webhooks', tone: 'neutral', badge: 'no webhook', text, to: whole }];
  }
  const lines = sortBySeverity(endpoints).flatMap((endpoint): AttentionLine[] => {
    const { id, url, health } = endpoint;
    const tone = toStateTone(health);
    if (tone !== 'bad' && tone !== 'warn') return [];
    const text = health.pausedAt === null ? `Webhooks to ${url}` : describePausedWebhook(endpoint);
    const badge = describeState(health);
    return [{ id: `webhook:${id}`, tone, badge, text, to: { page: 'webhooks', id } }];
  });
  if (!legacy?.isActive) return lines;
  const text = `Legacy webhook to ${legacy.url}: migrate it to an endpoint`;
  const badge = toShownState(legacy.health);
  return [...lines, { id: 'legacy', tone: 'warn', badge, text, to: whole }];
}

function toDoctorLines(findings: DoctorReport['findings']): AttentionLine[] {
  return (
    findings
      // The lines of the webhooks name each paused endpoint.
      .filter(({ code, severity }) => severity === 'problem' && code !== 'webhook_paused')
      .map(({ code, title }) => ({
        id: `doctor:${code}`,
        tone: 'bad',
        badge: 'doctor',
        text: title,
        to: { page: 'doctor' },
      }))
  );
}

function toSimulationLines({ faults, nextOutcomes }: AccountAtAGlance): AttentionLine[] {
  const to = { page: 'simulate' } as const;
  const lines = faults.map(({ id, operation, fault, remaining }): AttentionLine => {
    const text = `${toNext(remaining, `${operation} request`)}: ${fault}`;
    return { id: `fault:${id}`, tone: 'warn', badge: 'fault', text, to };
  });
  if (nextOutcomes.length === 0) return lines;
  const text = `${toNext(nextOutcomes.length, 'session')}: ${nextOutcomes.join(', ')}`;
  return [...lines, { id: 'outcomes', tone: 'accent', badge: 'queued', text, to }];
}

/** `The next session`, `The next 2 sessions` */
const toNext = (count: number, noun: string): string =>
  `The next ${count === 1 ? noun : toCount(count, noun)}`;
