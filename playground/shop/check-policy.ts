import type { TenantResource } from 'ofage-mock';
import type { Provider } from '../shared/provider.ts';
import type { ShopApi } from './api.ts';
import { findTenantId } from '../demo/account.ts';

export type CheckPolicy = Pick<TenantResource['policy'], 'verificationMode' | 'challengeAge'>;

/** The age from which the shop sells. */
export const SELLS_FROM = 18;

/** Follows the verification policy of the shop's account. The console can change it. */
export function followPolicy(
  api: Pick<ShopApi, 'config'>,
  { client, live }: Pick<Provider, 'client' | 'live'>,
): { readonly policy: { readonly value: CheckPolicy | null }; close(): void } {
  const { data, close } = live.open({
    key: 'policy',
    topics: ['tenant', 'key'],
    read: async () => (await client.tenant(await findTenantId(api, client))).policy,
  });
  return { policy: data, close };
}

/** Describes the check for the shopper. */
export function describeCheck(policy: CheckPolicy | null): string {
  if (policy === null) return 'The age check takes about a minute.';
  if (policy.verificationMode === 'L2')
    return 'For the age check you need an ID. It takes a minute.';
  return `The age check takes about a minute: a selfie, and an ID if you look under ${policy.challengeAge}.`;
}

/** Explains in one sentence why the challenge age is higher than the shop's age limit. */
export function explainChallengeAge({ challengeAge }: CheckPolicy): string {
  return `Why ${challengeAge}? It is the challenge age: a selfie gives only an estimate, so ${challengeAge} leaves a margin above ${SELLS_FROM}.`;
}
