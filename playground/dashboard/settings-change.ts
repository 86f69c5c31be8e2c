import type { BillingBlock, Member, TenantInput, TenantResource } from 'ofage/mock';

/**
 * Converts the text of a number field to a number. Returns a text that is not a number unchanged, because
 * the service's error message says what it expects.
 */
export function toNumberOrText(text: string): number {
  const trimmed = text.trim();
  const number = Number(trimmed);
  // The cast lets the text through to the service, which rejects it with its own message.
  return trimmed === '' || Number.isNaN(number) ? (text as unknown as number) : number;
}

/** Adds the hosts that were typed or pasted. Each host is listed once. */
export function addDomains(domains: readonly string[], text: string): string[] {
  const typed = text.split(/[\s,;]+/).filter((part) => part !== '');
  return [...new Set([...domains, ...typed])];
}

export interface BillingDraft {
  /** The code of the block, or an empty string for no block. */
  readonly code: string;
  readonly message: string;
  readonly portalUrl: string;
}

export const BILLING_CODES = [
  'SUBSCRIPTION_REQUIRED',
  'PLAN_LIMIT_REACHED',
  'SANDBOX_LIMIT_REACHED',
] as const satisfies readonly BillingBlock['code'][];

export function toBillingDraft(block: TenantResource['billingBlock']): BillingDraft {
  return {
    code: block?.code ?? '',
    message: block?.message ?? 'Verification is not available at the moment',
    portalUrl: block?.portalUrl ?? '',
  };
}

export function toBillingChange({ code, message, portalUrl }: BillingDraft): TenantInput {
  if (code === '') return { billingBlock: null };
  return {
    billingBlock: {
      // The form offers only BILLING_CODES, and the service rejects any other code.
      code: code as BillingBlock['code'],
      message,
      ...(portalUrl.trim() !== '' && { portalUrl: portalUrl.trim() }),
    },
  };
}

export const ROLES = ['owner', 'admin', 'developer'] as const satisfies readonly Member['role'][];
