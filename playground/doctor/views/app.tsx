import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { DoctorFinding, DoctorReport } from 'ofage/mock';
import { Facts, Moment, ErrorNote } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { useQuery } from '../../shared/live/use-live.ts';
import type { Provider } from '../../shared/provider.ts';
import { siteUrl } from '../../shared/site.ts';
import { toCount } from '../../shared/to-count.ts';
import { useHash } from '../../shared/use-hash.ts';
import '../doctor.css';
import { type SessionsBehind, readSessionsBehind, toEvidenceLink } from '../evidence.ts';
import { bySeverity, toVerdict } from '../verdict.ts';

/**
 * Interval of reports without an event, because some findings only need time: a missing validate call is
 * reported after ten seconds.
 */
const RECHECK_MS = 5_000;
/** Debounces requests for the report, which is long, because traffic comes in bursts. */
const GATHER_MS = 400;
/** All topics except the clock, which does not affect the report. */
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
  const sessionId = useHash(readSessionId).value;
  const checked = useQuery(live, sessionId, {
    topics: TOPICS,
    gatherMs: GATHER_MS,
    everyMs: RECHECK_MS,
    async read() {
      const report = await client.doctor({ sessionId: sessionId || undefined });
      return { report, behind: await readSessionsBehind(client, report) };
    },
  });
  const found = checked.data.value;
  const trouble = checked.error.value;
  return (
    <>
      <header class="page__head">
        <div>
          <h1>Doctor</h1>
          <p>
            Reads the traffic it saw, and says in plain words what is wrong with an integration, and
            what to do about it.
          </p>
        </div>
        <Filter sessionId={sessionId} onRecheck={() => checked.reload()} />
      </header>
      <ErrorNote text={trouble} testId="trouble" />
      {found && trouble === '' && <Report report={found.report} behind={found.behind} />}
    </>
  );
}

function Filter(props: { sessionId: string; onRecheck: () => Promise<void> }): JSX.Element {
  const { sessionId, onRecheck } = props;
  /** The user's input, which a new report must not overwrite. */
  const wanted = useSignal(sessionId);
  useLayoutEffect(() => void (wanted.value = sessionId), [sessionId]);
  return (
    <form
      class="filter"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        location.hash = encodeURIComponent(wanted.value.trim());
      }}
    >
      <TextField
        label="One session alone"
        placeholder="its id"
        verbatim
        mono
        bind={wanted}
        testId="session-filter"
      />
      <Button>Filter</Button>
      {sessionId !== '' && (
        <a class="button" href="#" data-testid="all-sessions">
          All sessions
        </a>
      )}
      <Button variant="primary" onPress={onRecheck} testId="recheck">
        Check again
      </Button>
    </form>
  );
}

function Report({ report, behind }: { report: DoctorReport; behind: SessionsBehind }): JSX.Element {
  const { checkedAt, seen, findings } = report;
  const verdict = toVerdict(report);
  return (
    <>
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
          checked <Moment at={checkedAt} />
        </p>
      </section>
      {bySeverity(findings.filter(({ code }) => code !== 'nothing_seen')).map(
        ({ severity, name, findings: group }) => (
          <section key={severity} class="group" aria-labelledby={`group-${severity}`}>
            <h2 id={`group-${severity}`}>{name}</h2>
            {group.map((finding) => (
              <Finding key={finding.code} finding={finding} behind={behind} />
            ))}
          </section>
        ),
      )}
    </>
  );
}

const SEVERITIES = {
  problem: { name: 'problem', tone: 'bad' },
  warning: { name: 'look at it', tone: 'warn' },
  ok: { name: 'well', tone: 'good' },
} as const;

function Finding({
  finding,
  behind,
}: {
  finding: DoctorFinding;
  behind: SessionsBehind;
}): JSX.Element {
  const { code, severity, title, detail, why, advice, evidence } = finding;
  const { name, tone } = SEVERITIES[severity];
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
          <Chip tone={tone}>{name}</Chip>
          <code class="muted">{code}</code>
        </div>
      </div>
      <p class="finding__detail">{detail}</p>
      <Facts
        class="finding__words"
        facts={[
          ['Why it matters', why],
          ['What to do', advice],
        ]}
      />
      {evidence.length > 0 && <Evidence evidence={evidence} behind={behind} />}
    </article>
  );
}

function Evidence(props: {
  evidence: DoctorFinding['evidence'];
  behind: SessionsBehind;
}): JSX.Element {
  const { evidence, behind } = props;
  return (
    <details>
      <summary>What it was seen by ({evidence.length})</summary>
      <ul class="evidence">
        {evidence.map((one) => {
          const { text, path, at } = toEvidenceLink(one, behind);
          return (
            <li key={`${one.kind} ${one.id}`}>
              {path === null ? (
                <span>{text}</span>
              ) : (
                <a href={siteUrl(path)} data-testid="evidence">
                  {text}
                </a>
              )}{' '}
              <span class="muted">
                <Moment at={at} />
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function Mark({ kind }: { kind: 'problems' | 'warnings' | 'well' | 'nothing' }): JSX.Element {
  const path = {
    problems: 'M16 9v9m0 4.5v.1',
    warnings: 'M10 16.5l4.2 4.2L22.5 12',
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

/** Reads `#SESSION`. An empty hash selects all sessions. */
function readSessionId(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#\/?/, ''));
  } catch {
    return '';
  }
}
