import type { JSX } from 'preact';
import { ErrorNote } from '../../shared/console/parts.tsx';
import { useQuery } from '../../shared/old-query.ts';
import type { Provider } from '../../shared/provider.ts';
import { useHash } from '../../shared/use-hash.ts';
import '../doctor.css';
import { readEvidence } from '../evidence.ts';
import { parseRoute, toFilter, toHash } from '../route.ts';
import { FilterForm } from './filter-form.tsx';
import { Report } from './report.tsx';

/**
 * The interval at which the report is fetched even if nothing has changed, because some findings depend
 * only on time: a missing validate call is reported after ten seconds.
 */
const RECHECK_MS = 5_000;
/**
 * The time for which messages are collected before the report is fetched, because the report is long and
 * traffic comes in bursts.
 */
const GATHER_MS = 400;
/** The topics whose messages may change the report. */
const TOPICS = [
  'tenant',
  'key',
  'session',
  'endpoint',
  'event',
  'delivery',
  'fault',
  'request',
  'observation',
] as const;

/** Shows the doctor's report, and fetches it again after every change. */
export function App({ provider }: { provider: Provider }): JSX.Element {
  const { client, live } = provider;
  const route = useHash(parseRoute).value;
  const checked = useQuery(live, toHash(route), {
    topics: TOPICS,
    gatherMs: GATHER_MS,
    everyMs: RECHECK_MS,
    async read() {
      const report = await client.doctor(toFilter(route));
      return { report, links: await readEvidence(client, report) };
    },
  });
  const found = checked.data.value;
  const loadError = checked.error.value;
  return (
    <>
      <header class="page__head">
        <div>
          <h1>Doctor</h1>
          <p>Finds mistakes in your integration from its traffic, and says how to fix them.</p>
        </div>
      </header>
      <FilterForm provider={provider} route={route} onRecheck={() => checked.reload()} />
      <ErrorNote text={loadError} testId="error" />
      {found && loadError === '' && (
        <Report report={found.report} links={found.links} route={route} />
      )}
    </>
  );
}
