import { type Signal, useSignal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorNote } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { TableFrame } from '../../shared/kit/table.tsx';
import type { Provider } from '../../shared/provider.ts';
import { IS_STATIC } from '../../shared/site.ts';
import { useQuery } from '../../shared/use-query.ts';
import { type PopupRun, startRun } from '../popup/run.ts';
import {
  GROUPS,
  type PopupEntry,
  type PopupScenario,
  type PopupScenarioId,
  SCENARIOS,
  type SdkReport,
  isExpected,
  toExpectation,
  toReportLine,
  toSeconds,
} from '../popup/scenarios.ts';
import type { ShopLab } from '../shop-lab.ts';

/** One table of cases. Each has a button that runs it, and a verdict on what the SDK reported. */
export function PopupLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { provider, shop } = props;
  const asked = useQuery(provider.live, {
    key: 'publishable key',
    topics: [],
    read: () => shop.publishableKey(),
  });
  const publishableKey = asked.data;
  const run = useSignal<PopupRun | null>(null);
  const reports = useSignal<Readonly<Partial<Record<PopupScenarioId, SdkReport>>>>({});
  const chosen = useSignal<PopupScenarioId | null>(null);
  useEffect(() => () => run.value?.end(), []);

  const done = SCENARIOS.flatMap(({ id, expected }) => {
    const report = reports.value[id];
    return report ? [isExpected(report, expected)] : [];
  });
  const start = ({ id }: PopupScenario): void => {
    if (publishableKey === null) return;
    run.value?.end();
    const { [id]: _earlier, ...others } = reports.value;
    reports.value = others;
    // Runs one case at a time and in the click, because a browser opens one window for each click.
    const started = startRun(id, { provider, publishableKey });
    run.value = started;
    started.record.report.subscribe((report) => {
      if (report) reports.value = { ...reports.value, [id]: report };
    });
    chosen.value = id;
  };
  return (
    <>
      <ErrorNote text={asked.error} />
      <p class="muted" role="status" data-testid="popups-done">
        {done.length === 0
          ? 'Run one case at a time, because a browser opens one window for each click.'
          : `${done.filter(Boolean).length} of ${SCENARIOS.length} cases as expected`}
      </p>
      <div class="panel cases" data-ready={String(publishableKey !== null)} data-testid="popups">
        <TableFrame label="Cases" heads={HEADS}>
          {GROUPS.map((group) => (
            <Fragment key={group}>
              <tr class="cases__group">
                <th scope="colgroup" colSpan={HEADS.length}>
                  {group}
                </th>
              </tr>
              {SCENARIOS.filter((scenario) => scenario.group === group).map((scenario) => (
                <Case
                  key={scenario.id}
                  scenario={scenario}
                  run={run.value?.id === scenario.id ? run.value : null}
                  report={reports.value[scenario.id] ?? null}
                  isReady={publishableKey !== null}
                  chosen={chosen}
                  start={() => start(scenario)}
                />
              ))}
            </Fragment>
          ))}
        </TableFrame>
      </div>
    </>
  );
}

const HEADS = [
  { title: 'Case' },
  { title: 'verify() …' },
  { title: 'Verdict' },
  // Aligned at the end, like its buttons.
  { title: 'Action', kind: 'number' },
] as const;

function Case(props: {
  scenario: PopupScenario;
  run: PopupRun | null;
  report: SdkReport | null;
  isReady: boolean;
  chosen: Signal<PopupScenarioId | null>;
  start: () => void;
}): JSX.Element {
  const { scenario, run, report, isReady, chosen, start } = props;
  const { id, title, expected, needsHeaders } = scenario;
  const isUnavailable = needsHeaders === true && IS_STATIC;
  const isOpen = chosen.value === id;
  return (
    <>
      <tr data-testid={`popup-${id}`} class={isOpen ? 'case case--open' : 'case'}>
        <th scope="row">
          <Button
            variant="bare"
            class="case__title"
            aria-expanded={isOpen}
            onPress={() => (chosen.value = isOpen ? null : id)}
            testId={`about-${id}`}
          >
            {title}
          </Button>
        </th>
        <td>
          <code>{toExpectation(expected)}</code>
        </td>
        <td
          class={report || run ? undefined : 'case__idle'}
          data-testid="sdk-report"
          data-word={report?.word ?? ''}
          data-code={report?.code ?? ''}
          data-reason={report?.reason ?? ''}
        >
          <span role="status">
            {report ? (
              <Chip tone={isExpected(report, expected) ? 'good' : 'bad'} testId="verdict">
                {isExpected(report, expected) ? 'as expected' : 'different'}
              </Chip>
            ) : (
              <span class="muted">{run ? 'running…' : 'not run'}</span>
            )}
          </span>
        </td>
        <td class="cell-number">
          <Button
            small
            aria-label={`Run: ${title}`}
            disabled={!isReady || isUnavailable}
            onPress={start}
            testId={`run-${id}`}
          >
            Run
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr class="case__about" data-testid={`details-${id}`}>
          <td colSpan={HEADS.length}>
            <Details scenario={scenario} run={run} isUnavailable={isUnavailable} />
          </td>
        </tr>
      )}
    </>
  );
}

function Details(props: {
  scenario: PopupScenario;
  run: PopupRun | null;
  isUnavailable: boolean;
}): JSX.Element {
  const { scenario, run, isUnavailable } = props;
  return (
    <div class="unfolded">
      <p>{scenario.what}</p>
      {isUnavailable && (
        <p class="note tone--warn" data-testid="unavailable">
          Not available here, because a static site cannot set headers. Use <code>ofage-mock</code>.
        </p>
      )}
      <p>
        <strong>What to do.</strong> {scenario.advice}
      </p>
      {run && <Outcome run={run} />}
    </div>
  );
}

function Outcome({ run }: { run: PopupRun }): JSX.Element {
  const { report: reported, entries } = run.record;
  const report = reported.value;
  return (
    <>
      <p>
        <strong>The SDK reported:</strong>{' '}
        {report ? toReportLine(report) : 'nothing yet, verify() is waiting.'}
      </p>
      <ol class="entries" aria-label="What happened, in order">
        {entries.value.map((entry, at) => (
          <Entry key={at} entry={entry} />
        ))}
      </ol>
    </>
  );
}

const TONES = { sdk: 'accent', window: 'neutral', service: 'good', lab: 'warn' } as const;

function Entry({ entry }: { entry: PopupEntry }): JSX.Element {
  return (
    <li class="entries__item">
      <span class="entries__time muted">{toSeconds(entry.atMs)}</span>
      <Chip tone={TONES[entry.who]}>{entry.who}</Chip>
      <span>{entry.text}</span>
    </li>
  );
}
