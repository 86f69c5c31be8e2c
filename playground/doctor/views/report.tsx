import type { JSX } from 'preact';
import type { DoctorFinding, DoctorReport } from 'ofage/mock';
import { Facts, Moment } from '../../shared/console/parts.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { helpUrl } from '../../shared/docs.ts';
import { siteUrl } from '../../shared/site.ts';
import { toCount } from '../../shared/to-count.ts';
import { type EvidenceLinks, toEvidenceLink } from '../evidence.ts';
import { GUIDES } from '../guides.ts';
import { type Route, toHash } from '../route.ts';
import { SEVERITIES, type Verdict, bySeverity, toVerdict } from '../verdict.ts';
import { GuideLink } from './guide-link.tsx';

interface Props {
  readonly report: DoctorReport;
  readonly links: EvidenceLinks;
  readonly route: Route;
}

export function Report({ report, links, route }: Props): JSX.Element {
  const { checkedAt, seen, findings, earlier } = report;
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
          Checked <Moment at={checkedAt} />
        </p>
      </section>
      {seen.labSessions > 0 && (
        <p class="muted" data-testid="labs-left-out">
          {toCount(seen.labSessions, 'session')} of the labs left out.{' '}
          <a href={toHash({ ...route, labs: true })}>Include the labs</a>
        </p>
      )}
      {bySeverity(findings.filter(({ code }) => code !== 'nothing_seen')).map(
        ({ severity, findings: group }) => (
          <section key={severity} class="group" aria-labelledby={`group-${severity}`}>
            <h2 id={`group-${severity}`}>{SEVERITIES[severity].heading}</h2>
            {group.map((finding) => (
              <Finding key={finding.code} finding={finding} links={links} />
            ))}
          </section>
        ),
      )}
      {earlier.length > 0 && (
        <section class="group" aria-labelledby="group-earlier" data-testid="earlier">
          <h2 id="group-earlier">Earlier</h2>
          <p class="muted">
            Later traffic passed these checks, or the setting concerned has changed since.
          </p>
          {earlier.map((finding) => (
            <Finding key={finding.code} finding={finding} links={links} />
          ))}
        </section>
      )}
    </>
  );
}

function Finding(props: { finding: DoctorFinding; links: EvidenceLinks }): JSX.Element {
  const { code, severity, title, detail, why, advice, lastSeenAt, evidence } = props.finding;
  const { name, tone } = SEVERITIES[severity];
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
          <Chip tone={tone}>{name}</Chip>
          <code class="muted">{code}</code>
        </div>
      </div>
      <p class="finding__detail">{detail}</p>
      {lastSeenAt !== null && (
        <p class="muted" data-testid="last-seen">
          Last seen <Moment at={lastSeenAt} />
        </p>
      )}
      <Facts
        class="finding__words"
        facts={[
          ['Why it matters', why],
          ['What to do', advice],
        ]}
      />
      <GuideLink guide={GUIDES[code]} />
      {page !== null && (
        <a href={page} data-testid="finding-page">
          What this finding means
        </a>
      )}
      {evidence.length > 0 && <Evidence evidence={evidence} links={props.links} />}
    </article>
  );
}

function Evidence(props: {
  evidence: DoctorFinding['evidence'];
  links: EvidenceLinks;
}): JSX.Element {
  const { evidence, links } = props;
  return (
    <details>
      <summary>Evidence ({evidence.length})</summary>
      <ul class="evidence">
        {evidence.map((one) => {
          const { text, path } = toEvidenceLink(one, links);
          return (
            <li key={`${one.kind} ${one.id}`}>
              {path === null ? (
                <span>{text}</span>
              ) : (
                <a href={siteUrl(path)} data-testid="evidence">
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
