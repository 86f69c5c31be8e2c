import { useSignal, type Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { toDuration } from '../../shared/duration.ts';
import { downloadJson } from '../../shared/download-json.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { formatError } from '../../shared/kit/format-error.ts';
import { Table } from '../../shared/kit/table.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { EXAMPLES } from '../examples/index.ts';
import type { Inspector } from '../inspector.ts';
import { findReceiver } from '../receiver.ts';
import { finishRecording, startNotes } from '../recorder.ts';
import { replay, type ReplayResult } from '../replay.ts';
import { parseScenario, toScenarioText, type Scenario, type Step } from '../scenario-file.ts';

/** For tests: record, scenario-name, load-scenario, example-…, scenario, download, replay, replay-result[data-same]. */
export function ScenarioPanel({ inspector }: { inspector: Inspector }): JSX.Element {
  const scenario = useSignal<Scenario | null>(null);
  const problem = useSignal<string | null>(null);
  const load = (text: string): void => {
    problem.value = null;
    try {
      scenario.value = parseScenario(text);
      announce(`Loaded ${scenario.value.name}`);
    } catch (error) {
      problem.value = formatError(error);
    }
  };
  return (
    <Panel title="Scenarios" testId="scenarios">
      <p class="muted">
        Record what happens, keep it as a file, and let it happen again: the same sessions,
        outcomes, faults and answers, at the same distances in time.
      </p>
      <Recorder inspector={inspector} scenario={scenario} />
      <div class="row">
        <label class="button button--small file">
          Load a file
          <input
            class="visually-hidden"
            type="file"
            accept="application/json,.json"
            data-testid="load-scenario"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              currentTarget.value = '';
              void file?.text().then(load);
            }}
          />
        </label>
        {EXAMPLES.map(({ id, text, title }) => (
          <Button key={id} small onPress={() => load(text)} testId={`example-${id}`}>
            {title}
          </Button>
        ))}
      </div>
      {problem.value !== null && (
        <p class="note note--bad" role="alert" data-testid="scenario-problem">
          {problem.value}
        </p>
      )}
      {scenario.value && (
        <Loaded
          key={toScenarioText(scenario.value)}
          scenario={scenario.value}
          inspector={inspector}
        />
      )}
    </Panel>
  );
}

function Recorder(props: { inspector: Inspector; scenario: Signal<Scenario | null> }): JSX.Element {
  const { inspector, scenario } = props;
  const { provider, recording } = inspector;
  const name = useSignal('My run');
  const start = (): Promise<boolean> =>
    attempt(async () => {
      const { now } = await provider.client.clock.read();
      recording.value = startNotes(Date.parse(now));
      announce('Recording');
    });
  const stop = (): Promise<boolean> =>
    attempt(async () => {
      const notes = recording.value;
      if (!notes) return;
      const title = name.value.trim() || 'My run';
      scenario.value = await finishRecording(provider, notes, title, await inspector.requests());
      recording.value = null;
      announce(`Recorded ${scenario.value.steps.length} steps`);
    });
  const notes = recording.value;
  return (
    <div class="recorder">
      <TextField label="Name of the run" bind={name} testId="scenario-name" />
      <Button
        look={notes ? 'danger' : 'primary'}
        onPress={() => (notes ? stop() : start())}
        testId="record"
      >
        {notes ? 'Stop recording' : 'Record'}
      </Button>
      {notes && (
        <Chip tone="bad">● since {new Date(notes.startMs).toISOString().slice(11, 19)} UTC</Chip>
      )}
    </div>
  );
}

function Loaded(props: { scenario: Scenario; inspector: Inspector }): JSX.Element {
  const { scenario, inspector } = props;
  const result = useSignal<ReplayResult | null>(null);
  const progress = useSignal<{ readonly done: number; readonly total: number } | null>(null);
  const problem = useSignal<string | null>(null);
  const run = async (): Promise<void> => {
    result.value = null;
    problem.value = null;
    progress.value = { done: 0, total: scenario.steps.length };
    try {
      result.value = await replay(scenario, {
        provider: inspector.provider,
        receiver: await findReceiver(),
        onStep: (done, total) => (progress.value = { done, total }),
      });
    } catch (error) {
      problem.value = formatError(error);
    } finally {
      progress.value = null;
    }
  };
  return (
    <section class="scenario" aria-label="The loaded scenario" data-testid="scenario">
      <h3>{scenario.name}</h3>
      {scenario.description && <p class="muted">{scenario.description}</p>}
      <details>
        <summary>
          {scenario.steps.length} steps and {scenario.events.length} events in{' '}
          {toDuration(scenario.durationMs)}
        </summary>
        {/* In the tab order, because it scrolls. */}
        <ol class="steps" tabIndex={0} aria-label="Steps">
          {scenario.steps.map((step, index) => (
            <li key={index}>
              <code>{toDuration(step.atMs)}</code> {describeStep(step)}
            </li>
          ))}
        </ol>
      </details>
      <div class="row">
        <Button look="primary" onPress={run} testId="replay">
          {progress.value
            ? `Step ${progress.value.done + 1} of ${progress.value.total}…`
            : 'Replay'}
        </Button>
        <Button
          onPress={() => downloadJson(toFileName(scenario.name), toScenarioText(scenario))}
          testId="download"
        >
          Download
        </Button>
      </div>
      <p class="field__hint">
        A replay has an account of its own, and moves the clock for everybody.
      </p>
      <div role="status">
        {problem.value !== null && <p class="note note--bad">{problem.value}</p>}
        {result.value && <Verdict result={result.value} />}
      </div>
    </section>
  );
}

function Verdict({ result }: { result: ReplayResult }): JSX.Element {
  const { events, isSame } = result;
  return (
    <div data-testid="replay-result" data-same={String(isSame)}>
      <p class={isSame ? 'note note--good' : 'note note--bad'}>
        {isSame
          ? `The same: ${events.length} events, as recorded.`
          : `Different: ${events.filter(({ differences }) => differences.length > 0).length} of ${events.length} events.`}
      </p>
      <Table label="Recorded and replayed events" head={['Event', 'At', 'Compared']}>
        {events.map(({ session, event, recorded, replayed, differences }, index) => (
          <tr key={index}>
            <td>
              <code>{event}</code>
              <br />
              <span class="muted">{session}</span>
            </td>
            <td>{toDuration((recorded ?? replayed)?.atMs ?? 0)}</td>
            <td>
              {differences.length === 0 ? (
                <Chip tone="good">same</Chip>
              ) : (
                <>
                  <Chip tone="bad">different</Chip> {differences.join('; ')}
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

function describeStep(step: Step): string {
  switch (step.do) {
    case 'create':
      return `create ${step.session}${step.fails ? ', in vain' : ''}`;
    case 'settle':
      return `${step.session} ends as ${step.outcome}`;
    case 'poor_image':
      return `${step.session}: an image that is not usable`;
    case 'retry':
      return `${step.session}: in-flow retry`;
    case 'validate':
      return `validate ${step.session}`;
    case 'answer':
      return `the endpoint answers ${step.with}`;
    case 'fault':
      return `the next ${step.count} calls of ${step.operation} meet ${step.fault}`;
    case 'resume':
      return 'Test and resume';
    case 'redeliver':
      return 'Redeliver';
  }
}

function toFileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${plain || 'scenario'}.ofage.json`;
}
