import type { KeyPairResource, KeyResource } from 'ofage-mock';
import type { Tone } from '../shared/kit/chip.tsx';
import { toShortId } from '../shared/short-id.ts';

export const KEY_TONES = {
  active: 'good',
  paused: 'warn',
  revoked: 'bad',
} as const satisfies Record<KeyResource['status'], Tone>;

/** Masks a secret for display. Its prefix stays visible, because it shows the kind of the secret. */
export function maskSecret(value: string): string {
  const [, prefix = ''] = /^([a-z]{1,8}_)/.exec(value) ?? [];
  return `${prefix}${'•'.repeat(16)}`;
}

/**
 * Explains why the API rejects requests with this pair, or which requests cannot be made with it. Returns
 * null if both keys are active.
 */
export function explainPair({ publishable, secret }: KeyPairResource): string | null {
  if (secret.status === 'active' && publishable.status !== 'active') {
    return 'Without an active publishable key, the secret key cannot create sessions either. The API returns 503.';
  }
  if (secret.status !== 'active' && publishable.status === 'active') {
    return 'Pages can create sessions, but your server cannot validate them with this pair.';
  }
  if (secret.status === 'paused' || publishable.status === 'paused') {
    return 'No key is active. The API returns 403 for a paused key and 401 for a revoked one.';
  }
  if (secret.status === 'revoked') return 'Both keys are revoked. The API returns 401.';
  return null;
}

export interface SortedPairs {
  /** The pairs with which sessions can be created and validated. */
  readonly working: readonly KeyPairResource[];
  /** The other pairs, each with the reason. */
  readonly refused: readonly { readonly pairId: string; readonly why: string }[];
}

/** Separates the pairs that the API accepts from the others. */
export function sortPairs(pairs: readonly KeyPairResource[]): SortedPairs {
  return {
    working: pairs.filter((pair) => explainPair(pair) === null),
    refused: pairs.flatMap((pair) => {
      const why = explainPair(pair);
      return why === null ? [] : [{ pairId: pair.pairId, why }];
    }),
  };
}

/** Returns a short name for a pair, because a pair has only an id. */
export function toPairName(pairId: string): string {
  return toShortId(pairId);
}
