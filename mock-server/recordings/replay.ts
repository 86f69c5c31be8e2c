import type { Demo } from '../accounts/demo.ts';
import type { ServiceClock } from '../control/clock.ts';
import type { Control } from '../control/control.ts';
import type { RecordedStep, Recording, ReplayResult } from '../control/recording.ts';
import { reasonOf } from '../core/reason-of.ts';
import { systemRandom, toToken } from '../core/random.ts';
import { isRefusal } from '../core/errors.ts';
import { collectResults } from './collect-results.ts';
import { compareResults } from './compare-results.ts';
import { createBindings, type Bindings } from './names.ts';
import { CALLS } from './operation-names.ts';
import type { RecordedSender } from './recorded-sender.ts';
import { withoutWaits } from './without-waits.ts';

/** The parts of a service that a replay needs. */
export interface ReplayService {
  readonly control: Control;
  readonly clock: Pick<ServiceClock, 'set'>;
  readonly ready: Promise<Pick<Demo, 'tenantId'>>;
  readonly apiOrigin: string;
  fetch(request: Request): Promise<Response>;
}

/** A new service and its sender. The service's clock is set to the start of the recording. */
export interface ReplayTarget {
  readonly service: ReplayService;
  readonly sender: RecordedSender;
}

/**
 * Replays the steps of a recording in a service, moves the clock from step to step, and compares the
 * results. A step that fails is reported as a difference, and the replay continues with the next step.
 */
export async function replayRecording(
  recording: Recording,
  { service, sender }: ReplayTarget,
): Promise<ReplayResult> {
  const { control, clock } = service;
  const startMs = Date.parse(recording.startedAt);
  const run: Run = {
    service,
    sender,
    names: createBindings(() => toToken('whsec_', systemRandom)),
    tokens: new Map(),
    created: new Map(),
  };
  await bindFirstAccount(run);
  const differences: string[] = [];
  for (const step of recording.setup) await note('The setup', step, () => runMethod(step, run));
  for (const [index, step] of recording.steps.entries()) {
    await clock.set(startMs + step.atMs);
    await note(`Step ${index + 1}`, step, () => runStep(step, run));
  }
  await clock.set(startMs + recording.durationMs);

  const replayed = await readResults(run, startMs);
  const compared = compareResults(recording, replayed);
  differences.push(...compared.differences);
  return {
    isSame: differences.length === 0,
    differences,
    events: compared.events,
    snapshot: await control.snapshot(),
  };

  async function note(
    place: string,
    { operation, args, by, body }: Partial<RecordedStep>,
    runAction: () => Promise<string | null>,
  ): Promise<void> {
    const [unbound] = run.names.findUnbound([args, by, body]);
    const problem =
      unbound === undefined ? await runAction() : `needs ${unbound}, which was not created`;
    if (problem !== null) differences.push(`${place}, ${operation}: ${problem}`);
  }
}

interface Run extends ReplayTarget {
  readonly names: Bindings;
  /** Tokens of the sessions that calls created, keyed by session name. */
  readonly tokens: Map<string, SessionTokens>;
  /** Names of the resources that this run created, keyed by id. */
  readonly created: Map<string, string>;
}

interface SessionTokens {
  readonly sessionToken: string;
  readonly handoffToken: string;
}

/** Binds the names of the recording's first account to the account that every new service has. */
async function bindFirstAccount({ service, names }: Run): Promise<void> {
  const { tenantId } = await service.ready;
  const [pair] = await service.control.keyPairs(tenantId);
  names.bind('$account1', tenantId);
  names.bind('$pair1', pair?.pairId ?? '');
  names.bind('$key1', pair?.publishable.id ?? '');
  names.bind('$key2', pair?.secret.id ?? '');
}

function runStep(step: RecordedStep, run: Run): Promise<string | null> {
  return CALLS.has(step.operation) ? runCall(step, run) : runMethod(step, run);
}

/**
 * Runs a method of the control API.
 *
 * @returns the difference from the recording, or null
 */
async function runMethod(
  {
    operation,
    args = [],
    creates = [],
    answer,
  }: Pick<RecordedStep, 'operation' | 'args' | 'creates' | 'answer'>,
  { service, sender, names, created }: Run,
): Promise<string | null> {
  if (answer) sender.answerTests(answer);
  const methods = service.control as unknown as Methods;
  try {
    const input = names.replaceIn(withoutWaits(operation, args)) as unknown[];
    const result = await methods[operation]?.(...input);
    for (const [index, id] of idsIn(result).entries()) {
      const name = creates[index];
      if (name !== undefined) bind(name, id, { sender, names, created });
    }
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `refused: ${reasonOf(error)}`;
  }
}

/** The methods of the control API, keyed by name. */
type Methods = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

function idsIn(result: unknown): string[] {
  const { id, pairId, publishable, secret } = Object(result) as {
    id: string;
    pairId: string;
    publishable?: { id: string };
    secret?: { id: string };
  };
  // A session also has a `pairId`, and an endpoint may have one, so that property alone does not identify a
  // key pair.
  return publishable && secret ? [pairId, publishable.id, secret.id] : [id];
}

function bind(
  name: string,
  id: string,
  { sender, names, created }: Pick<Run, 'sender' | 'names' | 'created'>,
): void {
  names.bind(name, id);
  created.set(id, name);
  if (name.startsWith('$session')) sender.nameSession(id, name);
}

async function runCall(
  { operation, body, status, creates = [], ...caller }: RecordedStep,
  run: Run,
): Promise<string | null> {
  const { service, names, tokens } = run;
  const { method = 'post', path = '' } = CALLS.get(operation) ?? {};
  const response = await service.fetch(
    new Request(service.apiOrigin + path, {
      method: method.toUpperCase(),
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await findCredential(caller, run)}`,
      },
      // If a recorded call has no body, its body was not valid JSON, so the replay sends invalid JSON too.
      ...(method === 'post' && {
        body: body === undefined ? '{' : JSON.stringify(names.replaceIn(body)),
      }),
    }),
  );
  const [name] = creates;
  if (name !== undefined && response.ok) {
    const result = (await response.json()) as SessionTokens & { sessionId: string };
    tokens.set(name, result);
    bind(name, result.sessionId, run);
  }
  if (status === undefined || response.status === status) return null;
  return `responded with ${response.status} instead of ${status}`;
}

async function findCredential(
  { by = '', device }: Pick<RecordedStep, 'by' | 'device'>,
  { service, names, tokens }: Run,
): Promise<string> {
  if (device) {
    const session = tokens.get(by);
    return (device === 'first' ? session?.sessionToken : session?.handoffToken) ?? '';
  }
  const id = names.idOf(by);
  const tenants = await service.control.tenants();
  const pairs = await Promise.all(tenants.map((tenant) => service.control.keyPairs(tenant.id)));
  const keys = pairs.flat().flatMap(({ publishable, secret }) => [publishable, secret]);
  return keys.find((key) => key.id === id)?.value ?? '';
}

async function readResults({ service, created }: Run, startMs: number) {
  const { control } = service;
  const all = { limit: Number.MAX_SAFE_INTEGER };
  const [sessions, events, deliveries] = await Promise.all([
    control.sessions(all),
    control.events(all),
    control.deliveries(all),
  ]);
  const naming = { nameOf: (id: string) => created.get(id), addressOf: (url: string) => url };
  const outcome = { sessions: sessions.toReversed(), events, deliveries };
  return collectResults(outcome, naming, startMs);
}
