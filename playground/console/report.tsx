import { useSignal } from '@preact/signals';
import type { DoctorFilter, DoctorReport } from 'ofage-mock';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Result, useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { When } from './parts.tsx';

export interface Report extends Result<DoctorReport> {
  /** True if the service has reported a change since the report arrived. */
  readonly isStale: boolean;
}

/**
 * Asks for the doctor's report about the account when the page is opened, on `reload`, and after a reset. No
 * other change makes the page ask, and no action waits for the report, because the doctor examines thousands
 * of records.
 */
export function useReport(
  { provider, tenant, route }: Context,
  limits: Pick<DoctorFilter, 'sessionId' | 'since' | 'labs'> = {},
): Report {
  const { client, live } = provider;
  const isStale = useSignal(false);
  const report = useQuery(live, {
    // The page is a part of the key, because two pages that share a report would show an old one.
    key: `report ${route.page} ${tenant.id} ${JSON.stringify(limits)}`,
    topics: [],
    read: () => client.doctor({ ...limits, tenantId: tenant.id }),
  });
  useEffect(() => {
    isStale.value = false;
  }, [report.data]);
  useEffect(() => live.onMessage(() => (isStale.value = true)), [live]);
  return { ...report, isStale: isStale.value };
}

/** Says when the doctor computed the report, and whether it may be outdated. */
export function ReportAge(props: {
  report: Pick<Report, 'data' | 'isStale'>;
  nowMs: Context['nowMs'];
}): JSX.Element | null {
  const { data, isStale } = props.report;
  if (data === null) return null;
  return (
    <span data-testid="report-age">
      Checked <When at={data.checkedAt} nowMs={props.nowMs} />
      {isStale && '. Something may have changed since.'}
    </span>
  );
}
