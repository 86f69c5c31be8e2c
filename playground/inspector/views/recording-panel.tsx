import { useSignal } from '@preact/signals';
import type { Recording, ReplayResult } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { downloadJson } from '../../shared/download-json.ts';
import { toDuration } from '../../shared/duration.ts';
import { Button } from '../../shared/kit/button.tsx';
import { Chip } from '../../shared/kit/chip.tsx';
import { Table } from '../../shared/kit/table.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { toCount } from '../../shared/to-count.ts';
import { describeStep } from '../describe-step.ts';
import { EXAMPLES } from '../examples/index.ts';
import type { Recordings } from '../recordings.ts';

interface Props {
  readonly recordings: Recordings;
}

/**
 * Shows the recording and its replay. Test ids: recordings, record, recording-name, load-recording,
 * example-…, recording-problem, recording, save, replay, replay-result[data-same], open-result.
 */
export function RecordingPanel({ recordings }: Props): JSX.Element {
  const { loaded, problem } = recordings;
  return (
    <Panel title="Recordings" testId="recordings">
      <p class="muted">
        Record every change to the mock, save the recording as a file, and replay it on any
        computer: the same calls, outcomes and faults, with the same responses from your webhook
        receivers.
      </p>
      <Recorder recordings={recordings} />
      <Files recordings={recordings} />
      {problem.value !== null && (
        <p class="note note--bad" role="alert" data-testid="recording-problem">
          {problem.value}
        </p>
      )}
      {loaded.value && <Loaded recording={loaded.value} recordings={recordings} />}
    </Panel>
  );
}

function Recorder({ recordings }: Props): JSX.Element {
  const name = useSignal('My run');
  const current = recordings.current.value;
  return (
    <div class="recorder">
      <TextField label="Name of the recording" bind={name} testId="recording-name" />
      <Button
        variant={current ? 'danger' : 'primary'}
        onPress={() =>
          current ? recordings.stop() : recordings.start(name.value.trim() || 'My run')
        }
        testId="record"
      >
        {current ? 'Stop recording' : 'Record'}
      </Button>
      {current && (
        <Chip tone="bad">
          ● {current.name}: {toCount(current.steps, 'step')}
        </Chip>
      )}
    </div>
  );
}

function Files({ recordings }: Props): JSX.Element {
  return (
    <>
      <div>
        <label class="button button--small shows-focus">
          Load a file
          <input
            class="visually-hidden"
            type="file"
            accept="application/json,.json"
            data-testid="load-recording"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              currentTarget.value = '';
              void file?.text().then(recordings.load);
            }}
          />
        </label>
      </div>
      <div role="group" aria-labelledby="recording-examples">
        <p id="recording-examples" class="field__label">
          Examples
        </p>
        <div class="row">
          {EXAMPLES.map(({ id, text, title }) => (
            <Button key={id} small onPress={() => recordings.load(text)} testId={`example-${id}`}>
              {title}
            </Button>
          ))}
        </div>
      </div>
    </>
  );
}

function Loaded({ recording, recordings }: Props & { recording: Recording }): JSX.Element {
  const { name, description, steps, events, durationMs } = recording;
  const result = recordings.result.value;
  return (
    <section class="recording" aria-label="The loaded recording" data-testid="recording">
      <h3>{name}</h3>
      {description !== undefined && <p class="muted">{description}</p>}
      <details>
        <summary>
          {toCount(steps.length, 'step')} and {toCount(events.length, 'event')} in{' '}
          {toDuration(durationMs)}
        </summary>
        {/* The element scrolls, so it must be reachable by keyboard. */}
        <ol class="steps" tabIndex={0} aria-label="Steps">
          {steps.map((step, index) => (
            <li key={index}>
              <code>{toDuration(step.atMs)}</code> {describeStep(step)}
            </li>
          ))}
        </ol>
      </details>
      <div class="row">
        <Button variant="primary" onPress={recordings.replay} testId="replay">
          Replay
        </Button>
        <Button
          onPress={() => downloadJson(toFileName(name), `${JSON.stringify(recording, null, 2)}\n`)}
          testId="save"
        >
          Save the file
        </Button>
      </div>
      <p class="field__hint">
        A replay runs in a separate mock. It changes nothing here and sends no webhook.
      </p>
      <div role="status">
        {result && <Verdict result={result} onOpen={recordings.openResult} />}
      </div>
    </section>
  );
}

interface VerdictProps {
  readonly result: ReplayResult;
  readonly onOpen: () => Promise<boolean>;
}

function Verdict({ result, onOpen }: VerdictProps): JSX.Element {
  const { isSame, differences, events } = result;
  return (
    <div data-testid="replay-result" data-same={String(isSame)}>
      <p class={isSame ? 'note note--good' : 'note note--bad'}>
        {isSame
          ? `Same: ${toCount(events.length, 'event')}, as recorded.`
          : `Different. First difference: ${differences[0]}`}
      </p>
      <Events result={result} />
      <Button small onPress={onOpen} testId="open-result">
        Load the replayed state
      </Button>
      <p class="field__hint">
        Replaces the state of this mock, as a snapshot does, so that you can look at the run.
      </p>
    </div>
  );
}

function Events({ result }: { result: ReplayResult }): JSX.Element {
  return (
    <Table label="Recorded and replayed events" head={['Event', 'At', 'Compared']}>
      {result.events.map(({ session, event, atMs, differences }, index) => (
        <tr key={index}>
          <td>
            <code>{event}</code>
            <br />
            <span class="muted">{session}</span>
          </td>
          <td>{toDuration(atMs)}</td>
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
  );
}

function toFileName(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `${plain || 'recording'}.ofage.json`;
}
