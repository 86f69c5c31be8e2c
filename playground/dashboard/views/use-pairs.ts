import type { KeyPairResource } from 'ofage/mock';
import type { Loadable } from '../../shared/live.ts';
import { derive } from '../../shared/live/loadable.ts';
import { keys } from '../../shared/live/sources.ts';
import { useList } from '../../shared/live/use-live.ts';
import { toPairs } from '../key-view.ts';
import type { AppContext } from './app-context.ts';

/** Returns the account's key pairs, oldest first. */
export function usePairs({ provider, tenant }: AppContext): Loadable<readonly KeyPairResource[]> {
  return derive(useList(provider.live, keys(tenant.id)), toPairs);
}
