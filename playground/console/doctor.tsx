import type { DoctorFinding, DoctorReport } from 'ofage-mock';
import type { ComponentChildren, JSX } from 'preact';
import { Copy, ErrorNote, Facts, Moment } from '../shared/console/parts.tsx';
import { helpUrl } from '../shared/docs.ts';
import { Button } from '../shared/kit/button.tsx';
import { CheckField } from '../shared/kit/check-field.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { toShortId } from '../shared/short-id.ts';
import { formatTime } from '../../mock-server/words/times.ts';
import { toCount } from '../../mock-server/words/counts.ts';
import type { Context } from './context.ts';
import { toTest } from './copy-as-test.ts';
import { toEvidencePage } from './doctor-evidence.ts';
import { SEVERITIES, type Verdict, bySeverity, toVerdict } from './doctor-verdict.ts';
import { Finder } from './finder.tsx';
import { Heading } from './parts.tsx';
import { ReportAge, useReport } from './report.tsx';
import { Untried } from './untried.tsx';

/** The report about the account, which the query limits: session, since, labs. */
export function Doctor({ context }: { context: Context }): JSX.Element {
  const { session = '', since = '', labs = '' } = context.route.query;
  const report = useReport(context, {
    sessionId: session || undefined,
    since: since || undefined,
    labs: labs !== '' || undefined,
  });
  const { data, error } = report;
  const age = <ReportAge report={report} nowMs={context.nowMs} />;
  const isShown = data !== null && error === '';
  return (
    <>
      <Heading
        title="Doctor"
        actions={
          <Button variant="primary" onPress={() => report.reload()} testId="recheck">
            Check again
          </Button>
        }
      >
        Finds mistakes in your integration from its traffic, and says how to fix them.
      </Heading>
      <ErrorNote text={error} testId="error" />
      {isShown && <Overall report={data} hasLabs={labs !== ''} age={age} />}
      <DoctorFilters context={context} />
      {isShown && <Report context={context} report={data} />}
    </>
  );
}

/** Selects the sessions and the period that the report covers. */
function DoctorFilters({ context }: { context: Context }): JSX.Element {
  const { provider, route, go } = context;
  const { session = '', since = '', labs = '' } = route.query;
  const ignoreEarlier = (): void => {
    const now = new Date(provider.live.clock.now()).toISOString();
    go({ page: 'doctor', query: { ...route.query, since: now } });
  };
  return (
    <Finder
      context={context}
      search={{ name: 'session', label: 'Session ID', testId: 'session-filter', onEnter: true }}
      chips={[
        ['session', `Session ${toShortId(session)}`],
        ['since', since && `Since ${formatTime(since)}`],
        ['labs', 'With the labs'],
      ]}
      actions={
        since === '' && (
          <Button onPress={ignoreEarlier} testId="since-now">
            Ignore everything before now
          </Button>
        )
      }
    >
      <CheckField
        name="labs"
        label="Include the labs, which make mistakes on purpose, and the demo shop’s endpoint"
        class="check filters__wide"
        value={labs !== ''}
        testId="labs-filter"
      />
    </Finder>
  );
}

const VERDICT_TONES = {
  problems: 'bad',
  warnings: 'warn',
  untried: 'neutral',
  well: 'good',
  nothing: 'neutral',
} as const;

/** Shows the verdict and what it is based on. */
function Overall(props: {
  report: DoctorReport;
  hasLabs: boolean;
  age: ComponentChildren;
}): JSX.Element {
  const { report, hasLabs, age } = props;
  const { seen } = report;
  const verdict = toVerdict(report);
  return (
    <section
      class={`panel verdict tone--${VERDICT_TONES[verdict.kind]}`}
      aria-labelledby="verdict"
      data-testid="verdict"
      data-verdict={verdict.kind}
    >
      <VerdictIcon kind={verdict.kind} />
      <div role="status">
        <h2 id="verdict">{verdict.title}</h2>
        <p>{verdict.text}</p>
      </div>
      <p class="verdict__seen muted">
        {toCount(seen.requests, 'request')} · {toCount(seen.sessions, 'session')} ·{' '}
        {toCount(seen.observations, 'observation')} · {toCount(seen.deliveries, 'webhook')}
        {!hasLabs && ', without those of the demo shop and the labs'}
        <br />
        {age}
      </p>
    </section>
  );
}

interface ReportProps {
  context: Context;
  report: DoctorReport;
}

function Report({ context, report }: ReportProps): JSX.Element {
  const { seen, findings, earlier, untried } = report;
  const shown = bySeverity(findings.filter(({ code }) => code !== 'nothing_seen'));
  return (
    <>
      {seen.labSessions > 0 && (
        <p class="muted" data-testid="labs-left-out">
          {toCount(seen.labSessions, 'session')} of the labs left out.
        </p>
      )}
      {shown.map(({ severity, findings: group }, at) => (
        <section key={severity} class="column" aria-labelledby={`group-${severity}`}>
          <h2 id={`group-${severity}`}>{SEVERITIES[severity].heading}</h2>
          {group.map((finding, index) => (
            <Finding
              key={finding.code}
              context={context}
              finding={finding}
              isOpen={at === 0 && index === 0}
              isPartial={severity === 'ok' && untried.length > 0}
            />
          ))}
        </section>
      ))}
      <Untried context={context} untried={untried} />
      {earlier.length > 0 && (
        <section class="column" aria-labelledby="group-earlier" data-testid="earlier">
          <h2 id="group-earlier">Earlier</h2>
          <p class="muted">
            Later traffic passed these checks, or the setting concerned has changed since.
          </p>
          {earlier.map((finding) => (
            <Finding key={finding.code} context={context} finding={finding} isEarlier />
          ))}
        </section>
      )}
    </>
  );
}

/** Shows a finding in one line, with what to do on request. */
function Finding(props: {
  context: Context;
  finding: DoctorFinding;
  isOpen?: boolean;
  isEarlier?: boolean;
  /** True if it says that nothing is wrong while something has not been tried. */
  isPartial?: boolean;
}): JSX.Element {
  const { context, finding, isOpen = false, isEarlier = false, isPartial = false } = props;
  const { code, severity, title, why, advice, lastSeenAt, detail, evidence } = finding;
  const endpoint = evidence.find(({ kind }) => kind === 'endpoint');
  const page = helpUrl(code);
  const test = toTest(finding);
  const { name, tone } = SEVERITIES[severity];
  return (
    <details
      class="panel more"
      open={isOpen}
      data-testid="finding"
      data-code={code}
      data-severity={severity}
    >
      <summary class="line finding__line">
        <Chip tone={isEarlier || isPartial ? 'neutral' : tone}>{name}</Chip> <h3>{title}</h3>
        {lastSeenAt !== null && (
          <span class="muted" data-testid="last-seen">
            <Moment at={lastSeenAt} />
          </span>
        )}
      </summary>
      <Facts
        facts={[
          ['What to do', advice],
          ['Why it matters', why],
        ]}
      />
      <p>{detail}</p>
      <ul class="lines">
        {evidence.map((one) => (
          <li key={`${one.kind} ${one.id}`}>
            <a href={context.href(toEvidencePage(one))} data-testid="evidence">
              {one.text}
            </a>
            <Moment at={one.at} />
          </li>
        ))}
      </ul>
      <div class="row">
        {endpoint && (
          <a
            class="button button--small"
            href={context.href({ page: 'webhooks', id: endpoint.id })}
          >
            Open endpoint
          </a>
        )}
        {test !== null && (
          <Copy text={test} what="as test">
            Copy as test
          </Copy>
        )}
        {page !== null && (
          <a href={page} data-testid="finding-page">
            More about <code>{code}</code>
          </a>
        )}
      </div>
    </details>
  );
}

function VerdictIcon({ kind }: Pick<Verdict, 'kind'>): JSX.Element {
  const path = {
    problems: 'M16 9v9m0 4.5v.1',
    warnings: 'M16 9v9m0 4.5v.1',
    untried: 'M11 16h.1m4.9 0h.1m4.9 0h.1',
    well: 'M10 16.5l4.2 4.2L22.5 12',
    nothing: 'M11 16h.1m4.9 0h.1m4.9 0h.1',
  }[kind];
  return (
    <svg class="verdict__icon" viewBox="0 0 32 32" aria-hidden="true">
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
