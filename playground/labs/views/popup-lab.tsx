import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Facts, ErrorNote } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import type { Provider } from '../../shared/provider.ts';
import { IS_STATIC } from '../../shared/site.ts';
import { useQuery } from '../../shared/use-query.ts';
import { type PopupRun, startRun } from '../popup/run.ts';
import {
  type PopupEntry,
  type PopupScenario,
  SCENARIOS,
  toReportLine,
  toSeconds,
  toTruthLines,
} from '../popup/scenarios.ts';
import type { ShopLab } from '../shop-lab.ts';

export function PopupLab(props: { provider: Provider; shop: ShopLab }): JSX.Element {
  const { provider, shop } = props;
  const asked = useQuery(provider.live, {
    key: 'publishable key',
    topics: [],
    read: () => shop.publishableKey(),
  });
  const publishableKey = asked.data;
  const run = useSignal<PopupRun | null>(null);
  useEffect(() => () => run.value?.end(), []);

  const start = (scenario: PopupScenario): void => {
    if (publishableKey === null) return;
    run.value?.end();
    run.value = startRun(scenario.id, { provider, publishableKey });
  };
  return (
    <>
      <ErrorNote text={asked.error} />
      <ul class="scenarios" data-ready={String(publishableKey !== null)} data-testid="popups">
        {SCENARIOS.map((scenario) => (
          <li key={scenario.id} class="panel scenario" data-testid={`popup-${scenario.id}`}>
            <Scenario
              scenario={scenario}
              run={run.value?.id === scenario.id ? run.value : null}
              isReady={publishableKey !== null}
              start={() => start(scenario)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function Scenario(props: {
  scenario: PopupScenario;
  run: PopupRun | null;
  isReady: boolean;
  start: () => void;
}): JSX.Element {
  const { scenario, run, isReady, start } = props;
  const { id, title, what, expected, advice, needsHeaders } = scenario;
  const isUnavailable = needsHeaders === true && IS_STATIC;
  return (
    <>
      <div class="panel__head">
        <h2>{title}</h2>
        <Button
          variant="primary"
          small
          aria-label={`Run: ${title}`}
          disabled={!isReady || isUnavailable}
          onPress={start}
          testId={`run-${id}`}
        >
          Run
        </Button>
      </div>
      <p>{what}</p>
      {isUnavailable && (
        <p class="note note--warn" data-testid="unavailable">
          Not available here, because a static site cannot set headers. Use <code>ofage-mock</code>.
        </p>
      )}
      {run && <Outcome run={run} />}
      <Facts
        facts={[
          ['Expected report', expected],
          ['What to do', advice],
        ]}
      />
    </>
  );
}

function Outcome({ run }: { run: PopupRun }): JSX.Element {
  const { report: reported, truth, entries } = run.record;
  const report = reported.value;
  return (
    <div class="outcome">
      <div class="outcome__sides">
        <div
          class="outcome__side"
          data-testid="sdk-report"
          data-word={report?.word ?? ''}
          data-code={report?.code ?? ''}
          data-reason={report?.reason ?? ''}
        >
          <h3>What the SDK reported</h3>
          <p role="status">{report ? toReportLine(report) : 'Nothing yet. verify() is waiting.'}</p>
        </div>
        <div class="outcome__side" data-testid="truth" data-status={truth.value.sessionStatus}>
          <h3>What happened</h3>
          {toTruthLines(truth.value).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </div>
      <ol class="entries" aria-label="What happened, in order">
        {entries.value.map((entry, at) => (
          <Entry key={at} entry={entry} />
        ))}
      </ol>
    </div>
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
