import type {
  EndpointResource,
  FaultResource,
  KeyPairResource,
  LegacyWebhookResource,
  TenantResource,
} from 'ofage/mock';
import type { Tone } from '../shared/kit/chip.tsx';
import { toCount } from '../shared/to-count.ts';
import { sortBySeverity, toShownState, toStateTone } from './endpoint-view.ts';
import { explainPair, toPairName } from './key-view.ts';
import type { RouteTarget } from './route.ts';

export interface AccountAtAGlance {
  readonly tenant: TenantResource;
  readonly pairs: readonly KeyPairResource[];
  readonly endpoints: readonly EndpointResource[];
  readonly legacy: LegacyWebhookResource | null;
  readonly faults: readonly FaultResource[];
  readonly nextOutcomes: readonly string[];
}

/** One line of the Health panel, which reports a normal state or a problem. */
export interface HealthLine {
  readonly id: string;
  readonly tone: Tone;
  readonly badge: string;
  readonly text: string;
  readonly to: RouteTarget;
}

/** The tones from the most to the least urgent. */
const URGENCY: readonly Tone[] = ['bad', 'warn', 'accent', 'neutral', 'good'];

/** Returns the lines of the Health panel, the most urgent first. */
export function toHealthLines(account: AccountAtAGlance): HealthLine[] {
  return [
    ...toTenantLines(account),
    ...toKeyLines(account.pairs),
    ...toWebhookLines(account),
    ...toSteeringLines(account),
  ].sort((a, b) => URGENCY.indexOf(a.tone) - URGENCY.indexOf(b.tone));
}

function toTenantLines({ tenant: { billingBlock, sandboxMode } }: AccountAtAGlance): HealthLine[] {
  const to = { section: 'settings' } as const;
  const mode: HealthLine = sandboxMode
    ? {
        id: 'mode',
        tone: 'accent',
        badge: 'sandbox',
        text: 'Shoppers choose the outcome on the hosted page',
        to,
      }
    : {
        id: 'mode',
        tone: 'neutral',
        badge: 'live',
        text: 'The hosted page shows no choice of outcomes',
        to,
      };
  if (!billingBlock) return [mode];
  const { code, message } = billingBlock;
  return [
    { id: 'billing', tone: 'bad', badge: 'blocked', text: `Billing: ${message} (${code})`, to },
    mode,
  ];
}

function toKeyLines(pairs: readonly KeyPairResource[]): HealthLine[] {
  const to = { section: 'keys' } as const;
  if (pairs.length === 0) {
    const text = 'No key pair yet. Create one to start sessions';
    return [{ id: 'keys', tone: 'warn', badge: 'no keys', text, to }];
  }
  const usable = pairs.filter((pair) => explainPair(pair) === null);
  const problems = pairs.flatMap((pair): HealthLine[] => {
    const why = explainPair(pair);
    if (why === null || isRevoked(pair)) return [];
    const text = `Pair ${toPairName(pair.pairId)}: ${why}`;
    return [{ id: `keys:${pair.pairId}`, tone: 'warn', badge: 'keys', text, to }];
  });
  const text = `${toCount(usable.length, 'key pair')} in use`;
  const summary: HealthLine =
    usable.length > 0
      ? { id: 'keys', tone: 'good', badge: 'keys', text, to }
      : { id: 'keys', tone: 'bad', badge: 'keys', text: 'No key pair can be used', to };
  return [summary, ...problems];
}

/**
 * Returns true if both keys are revoked. Such a pair was retired on purpose, so it is not reported as a
 * problem.
 */
function isRevoked({ publishable, secret }: KeyPairResource): boolean {
  return publishable.status === 'revoked' && secret.status === 'revoked';
}

function toWebhookLines({ endpoints, legacy }: AccountAtAGlance): HealthLine[] {
  const whole = { section: 'webhooks' } as const;
  if (endpoints.length === 0 && !legacy) {
    const text = 'No endpoint: your server gets no webhooks';
    return [{ id: 'webhooks', tone: 'neutral', badge: 'no webhook', text, to: whole }];
  }
  const lines = sortBySeverity(endpoints).map(({ id, url, health }): HealthLine => {
    const { undelivered } = health;
    const missing = undelivered > 0 ? `, ${toCount(undelivered, 'event')} not delivered` : '';
    return {
      id: `webhook:${id}`,
      tone: toStateTone(health),
      badge: toShownState(health),
      text: `Webhooks to ${url}${missing}`,
      to: { section: 'webhooks', id },
    };
  });
  if (!legacy?.isActive) return lines;
  const { health, url } = legacy;
  const text = `Legacy webhook to ${url}: migrate it to an endpoint`;
  const badge = toShownState(health);
  return [...lines, { id: 'legacy', tone: toStateTone(health), badge, text, to: whole }];
}

function toSteeringLines({ faults, nextOutcomes }: AccountAtAGlance): HealthLine[] {
  const to = { section: 'settings' } as const;
  const lines = faults.map(({ id, operation, fault, remaining }): HealthLine => {
    const text = `The next ${toCount(remaining, `${operation} request`)}: ${fault}`;
    return { id: `fault:${id}`, tone: 'warn', badge: 'fault', text, to };
  });
  if (nextOutcomes.length === 0) return lines;
  const text = `The next ${toCount(nextOutcomes.length, 'session')}: ${nextOutcomes.join(', ')}`;
  return [...lines, { id: 'outcomes', tone: 'accent', badge: 'queued', text, to }];
}
