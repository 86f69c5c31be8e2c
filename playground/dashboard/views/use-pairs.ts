import type { KeyPairResource } from 'ofage/mock';
import type { Loadable } from '../../shared/old-lists.ts';
import { derive } from '../../shared/old-lists.ts';
import { keys } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import { toPairs } from '../key-view.ts';
import type { AppContext } from './app-context.ts';

/** Returns the account's key pairs, oldest first. */
export function usePairs({ provider, tenant }: AppContext): Loadable<readonly KeyPairResource[]> {
  return derive(useList(provider, keys(tenant.id)), toPairs);
}
