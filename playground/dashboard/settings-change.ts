import type { BillingBlock, Member, TenantInput, TenantResource } from 'ofage/mock';

/** What somebody typed where a number belongs. What is none goes as it is: the service says what it wants. */
export function toNumberOrText(text: string): number {
  const trimmed = text.trim();
  const number = Number(trimmed);
  // The type says what the service wants; what it makes of anything else is its own sentence.
  return trimmed === '' || Number.isNaN(number) ? (text as unknown as number) : number;
}

/** Adds what was typed or pasted, one host or many, each of them once. */
export function addDomains(domains: readonly string[], text: string): string[] {
  const typed = text.split(/[\s,;]+/).filter((part) => part !== '');
  return [...new Set([...domains, ...typed])];
}

export interface BillingDraft {
  /** Empty for no block. */
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
      // From the list above, or the service refuses it.
      code: code as BillingBlock['code'],
      message,
      ...(portalUrl.trim() !== '' && { portalUrl: portalUrl.trim() }),
    },
  };
}

export const ROLES = ['owner', 'admin', 'developer'] as const satisfies readonly Member['role'][];
