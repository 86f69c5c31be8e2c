import type { FaultResource } from 'ofage/mock';
import type { Loadable } from '../../shared/live.ts';
import { derive } from '../../shared/live/loadable.ts';
import { faults } from '../../shared/live/sources.ts';
import { useList } from '../../shared/live/use-live.ts';
import type { AppContext } from './app-context.ts';

/** Returns the faults that apply to the account, including those that apply to all accounts. */
export function useOwnFaults({ provider, tenant }: AppContext): Loadable<readonly FaultResource[]> {
  return derive(useList(provider.live, faults), (all) =>
    all.filter(({ tenantId }) => tenantId === null || tenantId === tenant.id),
  );
}
