import { useSignal } from '@preact/signals';
import type { DoctorFilter, DoctorFinding, DoctorReport } from 'ofage/mock';
import type { LiveTopic } from 'ofage/mock/client';
import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { ErrorNote, Facts, Moment } from '../shared/console/parts.tsx';
import { helpUrl } from '../shared/docs.ts';
import { Button } from '../shared/kit/button.tsx';
import { CheckField } from '../shared/kit/check-field.tsx';
import { Chip, ValueChip } from '../shared/kit/chip.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import { siteUrl } from '../shared/site.ts';
import { toCount } from '../shared/to-count.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { type EvidenceTarget, readEvidence, toEvidence } from './doctor-evidence.ts';
import { SEVERITIES, type Verdict, bySeverity, toVerdict } from './doctor-verdict.ts';
import { Heading } from './parts.tsx';

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
export const DOCTOR_TOPICS = [
  'tenant',
  'key',
  'session',
  'endpoint',
  'event',
  'delivery',
  'fault',
  'request',
  'observation',
] as const satisfies readonly LiveTopic[];

/** The report, fetched again after every change. The query limits it: session, tenant, since, labs. */
export function Doctor({ context }: { context: Context }): JSX.Element {
  const { client, live } = context.provider;
  const { session = '', tenant = '', since = '', labs = '' } = context.route.query;
  const filter: DoctorFilter = {
    sessionId: session || undefined,
    tenantId: tenant || undefined,
    since: since || undefined,
    labs: labs !== '' || undefined,
  };
  const checked = useQuery(live, {
    key: `doctor ${JSON.stringify(filter)}`,
    topics: DOCTOR_TOPICS,
    gatherMs: GATHER_MS,
    everyMs: RECHECK_MS,
    async read() {
      const report = await client.doctor(filter);
      return { report, targets: await readEvidence(client, report) };
    },
  });
  const { data, error } = checked;
  return (
    <>
      <Heading
        title="Doctor"
        actions={
          <Button variant="primary" onPress={() => checked.reload()} testId="recheck">
            Check again
          </Button>
        }
      >
        Finds mistakes in your integration from its traffic, and says how to fix them.
      </Heading>
      <ErrorNote text={error} testId="error" />
      {data && error === '' && <Overall report={data.report} />}
      <FilterForm context={context} />
      {data && error === '' && <Report context={context} {...data} />}
    </>
  );
}

/** Returns a link to the report with other limits. */
function toLimits({ href, route }: Context, change: Readonly<Record<string, string>>): string {
  const { session = '', tenant = '', since = '', labs = '' } = route.query;
  return href({ page: 'doctor', query: { session, tenant, since, labs, ...change } });
}

/**
 * Selects the sessions and the period that the report covers. Test ids: session-filter, account-filter,
 * labs-filter, since-now, since, all-sessions.
 */
function FilterForm({ context }: { context: Context }): JSX.Element {
  const { provider, tenants, route } = context;
  const { session = '', tenant = '', since = '', labs = '' } = route.query;
  /** The user's input, which a new report must not overwrite. */
  const wanted = useSignal(session);
  useLayoutEffect(() => void (wanted.value = session), [session]);
  const change = (part: Readonly<Record<string, string>>): void => {
    location.hash = toLimits(context, part);
  };
  return (
    <form
      class="limits"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        change({ session: wanted.value.trim() });
      }}
    >
      {tenants.length > 1 && (
        <SelectField
          label="Account"
          options={[
            { value: '', text: 'All accounts' },
            ...tenants.map(({ id, name }) => ({ value: id, text: name })),
          ]}
          value={tenant}
          onValue={(chosen) => change({ tenant: chosen })}
          testId="account-filter"
        />
      )}
      <TextField
        label="Session"
        placeholder="Session ID"
        verbatim
        mono
        bind={wanted}
        testId="session-filter"
      />
      <Button>Filter</Button>
      {session !== '' && (
        <a class="button" href={toLimits(context, { session: '' })} data-testid="all-sessions">
          All sessions
        </a>
      )}
      {since === '' ? (
        <Button
          onPress={() => change({ since: new Date(provider.live.clock.now()).toISOString() })}
          testId="since-now"
        >
          Ignore everything before now
        </Button>
      ) : (
        <ValueChip
          remove={{ label: 'Show everything again', onPress: () => change({ since: '' }) }}
        >
          <span data-testid="since">
            Since <Moment at={since} />
          </span>
        </ValueChip>
      )}
      <CheckField
        label="Include the labs, which make mistakes on purpose, and the demo shop’s endpoint"
        value={labs !== ''}
        onValue={(isWanted) => change({ labs: isWanted ? '1' : '' })}
        testId="labs-filter"
      />
    </form>
  );
}

/** Shows the verdict and what it is based on. */
function Overall({ report }: { report: DoctorReport }): JSX.Element {
  const { checkedAt, seen } = report;
  const verdict = toVerdict(report);
  return (
    <section
      class={`verdict verdict--${verdict.kind}`}
      aria-labelledby="verdict"
      data-testid="verdict"
      data-verdict={verdict.kind}
    >
      <Mark kind={verdict.kind} />
      <div role="status">
        <h2 id="verdict">{verdict.title}</h2>
        <p>{verdict.text}</p>
        {verdict.kind === 'nothing' && <a href={siteUrl('')}>Open the demo shop</a>}
      </div>
      <p class="verdict__seen">
        {toCount(seen.requests, 'request')} · {toCount(seen.sessions, 'session')} ·{' '}
        {toCount(seen.deliveries, 'webhook')} · {toCount(seen.observations, 'observation')}
        <br />
        Checked <Moment at={checkedAt} />
      </p>
    </section>
  );
}

interface ReportProps {
  context: Context;
  report: DoctorReport;
  targets: ReadonlyMap<string, EvidenceTarget>;
}

function Report({ context, report, targets }: ReportProps): JSX.Element {
  const { seen, findings, earlier } = report;
  const shown = findings.filter(({ code }) => code !== 'nothing_seen');
  const toFinding = (finding: DoctorFinding): JSX.Element => (
    <Finding key={finding.code} context={context} finding={finding} targets={targets} />
  );
  return (
    <>
      {seen.labSessions > 0 && (
        <p class="muted" data-testid="labs-left-out">
          {toCount(seen.labSessions, 'session')} of the labs left out.{' '}
          <a href={toLimits(context, { labs: '1' })}>Include the labs</a>
        </p>
      )}
      {bySeverity(shown).map(({ severity, findings: group }) => (
        <section key={severity} class="group" aria-labelledby={`group-${severity}`}>
          <h2 id={`group-${severity}`}>{SEVERITIES[severity].heading}</h2>
          {group.map(toFinding)}
        </section>
      ))}
      {earlier.length > 0 && (
        <section class="group" aria-labelledby="group-earlier" data-testid="earlier">
          <h2 id="group-earlier">Earlier</h2>
          <p class="muted">
            Later traffic passed these checks, or the setting concerned has changed since.
          </p>
          {earlier.map((finding) => (
            <Finding
              key={finding.code}
              context={context}
              finding={finding}
              targets={targets}
              isEarlier
            />
          ))}
        </section>
      )}
    </>
  );
}

function Finding(props: {
  context: Context;
  finding: DoctorFinding;
  targets: ReportProps['targets'];
  /** True below a heading that does not name the severity. */
  isEarlier?: boolean;
}): JSX.Element {
  const { context, finding, targets, isEarlier } = props;
  const endpoint = finding.evidence.find(({ kind }) => kind === 'endpoint');
  const { name, tone } = SEVERITIES[finding.severity];
  const { code, severity, title, why, advice, lastSeenAt } = finding;
  const page = helpUrl(code);
  return (
    <article
      class={`panel finding finding--${severity}`}
      data-testid="finding"
      data-code={code}
      data-severity={severity}
    >
      <div class="panel__head">
        <h3>{title}</h3>
        <div class="row">
          {lastSeenAt !== null && (
            <span class="muted" data-testid="last-seen">
              Last seen <Moment at={lastSeenAt} />
            </span>
          )}
          {isEarlier && <Chip tone={tone}>{name}</Chip>}
          {endpoint && (
            <a
              class="button button--small"
              href={context.href({ page: 'webhooks', id: endpoint.id })}
            >
              Open endpoint
            </a>
          )}
        </div>
      </div>
      <Facts
        class="finding__words"
        facts={[
          ['Why it matters', why],
          ['What to do', advice],
        ]}
      />
      <Evidence context={context} finding={finding} targets={targets} />
      {page !== null && (
        <a href={page} data-testid="finding-page">
          More about <code>{code}</code>
        </a>
      )}
    </article>
  );
}

/** Shows the numbers and ids of a finding on request, each with a link to its record. */
function Evidence(props: {
  context: Context;
  finding: DoctorFinding;
  targets: ReportProps['targets'];
}): JSX.Element {
  const { context, finding, targets } = props;
  const { detail, evidence } = finding;
  if (evidence.length === 0) return <p class="finding__detail">{detail}</p>;
  return (
    <details>
      <summary>Evidence ({evidence.length})</summary>
      <p class="finding__detail">{detail}</p>
      <ul class="evidence">
        {evidence.map((one) => {
          const { text, to } = toEvidence(one, targets);
          return (
            <li key={`${one.kind} ${one.id}`}>
              {to === null ? (
                <span>{text}</span>
              ) : (
                <a href={context.href(to)} data-testid="evidence">
                  {text}
                </a>
              )}
              <span class="muted">
                <Moment at={one.at} />
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function Mark({ kind }: Pick<Verdict, 'kind'>): JSX.Element {
  const path = {
    problems: 'M16 9v9m0 4.5v.1',
    warnings: 'M16 9v9m0 4.5v.1',
    well: 'M10 16.5l4.2 4.2L22.5 12',
    nothing: 'M11 16h.1m4.9 0h.1m4.9 0h.1',
  }[kind];
  return (
    <svg class="verdict__mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="14" fill="none" stroke="currentcolor" stroke-width="2.5" />
      <path
        d={path}
        fill="none"
        stroke="currentcolor"
        stroke-width="3"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
