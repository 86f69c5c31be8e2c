import type { FaultResource } from 'ofage/mock';
import type { Loadable } from '../../shared/old-lists.ts';
import { derive } from '../../shared/old-lists.ts';
import { faults } from '../../shared/old-lists.ts';
import { useList } from '../../shared/old-lists.ts';
import type { AppContext } from './app-context.ts';

/** Returns the faults that apply to the account, including those that apply to all accounts. */
export function useOwnFaults({ provider, tenant }: AppContext): Loadable<readonly FaultResource[]> {
  return derive(useList(provider, faults), (all) =>
    all.filter(({ tenantId }) => tenantId === null || tenantId === tenant.id),
  );
}
