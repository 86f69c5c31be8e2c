import type { TenantInput } from 'ofage/mock';
import type { ControlClient } from 'ofage/mock/client';
import { formatError } from '../shared/kit/format-error.ts';
import type { Provider } from '../shared/provider.ts';
import { type ComparedEvent, compareEvents, toExpectedEvents } from './expected-events.ts';
import type { Receiver } from './receiver.ts';
import type { Scenario, Step } from './scenario-file.ts';

/** The account in which replays happen, so that they meet nothing of anybody else. */
const ACCOUNT = 'Replays';

export interface ReplayOptions {
  readonly provider: Provider;
  /** Null where there is no server that could receive webhooks. */
  readonly receiver: Receiver | null;
  /** Told before each step. */
  readonly onStep?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface ReplayResult {
  readonly events: readonly ComparedEvent[];
  readonly isSame: boolean;
}

/**
 * Does again what a scenario says, at the same distances in time, and compares what comes of it. Time
 * stands still between the steps, and is moved from one to the next; it moves for every account.
 * @throws Error with a sentence when a step cannot be taken
 */
export async function replay(scenario: Scenario, options: ReplayOptions): Promise<ReplayResult> {
  const { provider, receiver, onStep, signal } = options;
  const { steps, durationMs } = scenario;
  if (!receiver && steps.some(({ do: what }) => NEEDS_RECEIVER.has(what))) {
    throw new Error(
      "Cannot replay: the scenario has webhook steps, and the shop's server is not running",
    );
  }
  const { client } = provider;
  const before = await client.clock.read();
  const restore = await receiver?.borrow();
  let endpointId: string | null = null;
  let tenantId: string | null = null;
  try {
    const { now } = await client.clock.freeze();
    const startMs = Date.parse(now);
    const account = await openAccount(client, receiver, scenario);
    ({ endpointId, tenantId } = account);
    const run: Run = { ...options, ...account, tokens: new Map(), ids: new Map() };
    const moveTo = (atMs: number): Promise<unknown> => client.clock.set(startMs + atMs);
    for (const [index, step] of steps.entries()) {
      signal?.throwIfAborted();
      onStep?.(index, steps.length);
      await moveTo(step.atMs);
      await take(step, run).catch((cause: unknown) => {
        const reason = formatError(cause);
        throw new Error(`Cannot replay step ${index + 1}, ${step.do}: ${reason}`, { cause });
      });
    }
    await moveTo(durationMs);
    onStep?.(steps.length, steps.length);
    const events = compareEvents(scenario.events, await readEvents(run, startMs));
    return { events, isSame: events.every(({ differences }) => differences.length === 0) };
  } finally {
    // What is still queued would be sent to a receiver that answers somebody else by now.
    if (endpointId !== null) {
      await client.updateEndpoint(endpointId, { enabled: false });
    }
    if (tenantId !== null) await clearFaults(client, tenantId);
    await restore?.();
    if (!before.frozen) await client.clock.resume();
  }
}

const NEEDS_RECEIVER: ReadonlySet<Step['do']> = new Set(['answer', 'resume', 'redeliver']);

interface Account {
  readonly tenantId: string;
  readonly secretKey: string;
  readonly endpointId: string | null;
}

interface Run extends ReplayOptions, Account {
  /** By the session's name. */
  readonly tokens: Map<string, string>;
  readonly ids: Map<string, string>;
}

async function openAccount(
  client: ControlClient,
  receiver: Receiver | null,
  { steps }: Scenario,
): Promise<Account> {
  const known = (await client.tenants()).find(({ name }) => name === ACCOUNT);
  const hosts = steps.flatMap((step) =>
    step.do === 'create'
      ? [step.options.returnUrl, ...(step.options.cancelUrl ? [step.options.cancelUrl] : [])]
      : [],
  );
  const settings: TenantInput = {
    name: ACCOUNT,
    allowedDomains: [...new Set(hosts.map((url) => new URL(url).hostname))],
    sandboxMode: true,
    billingBlock: null,
    // A replay is faster than what it repeats, and time stands still for a limit's window, too.
    rateLimits: { create: 1_000_000, validate: 1_000_000 },
  };
  const { id } = known
    ? await client.updateTenant(known.id, settings)
    : await client.createTenant(settings);
  const { secret } =
    (await client.keyPairs(id)).find((pair) => pair.secret.status === 'active') ??
    (await client.createKeyPair(id));
  for (const endpoint of await client.endpoints(id)) await client.deleteEndpoint(endpoint.id);
  const endpoint = receiver ? await client.createEndpoint(id, { url: receiver.url }) : null;
  return { tenantId: id, secretKey: secret.value, endpointId: endpoint?.id ?? null };
}

/** Those that no call has used up. */
async function clearFaults(client: ControlClient, tenantId: string): Promise<void> {
  for (const fault of await client.faults()) {
    if (fault.tenantId === tenantId) await client.deleteFault(fault.id);
  }
}

async function take(step: Step, run: Run): Promise<void> {
  const { provider, receiver, tenantId, endpointId, ids } = run;
  const { client } = provider;
  switch (step.do) {
    case 'create':
      return create(step, run);
    case 'poor_image':
      return ask(run, '/hosted/v1/submit', step.session, { imageQuality: 'poor' });
    case 'retry':
      return ask(run, '/hosted/v1/retry', step.session, {});
    case 'settle':
      await client.settle(ids.get(step.session) ?? '', step.outcome);
      return;
    case 'validate':
      return validate(step.session, run);
    case 'answer':
      return receiver?.answer(step.with);
    case 'fault': {
      const { operation, fault, count } = step;
      await client.addFault({ operation, fault, count, tenantId });
      return;
    }
    case 'resume':
      await client.resumeEndpoint(endpointId ?? '');
      return;
    case 'redeliver':
      await client.redeliver(endpointId ?? '');
  }
}

async function create(
  { session, options, fails }: Extract<Step, { do: 'create' }>,
  run: Run,
): Promise<void> {
  const response = await post(run, '/api/v1/sessions/create', run.secretKey, options);
  const answer: unknown = await response.json().catch(() => null);
  const { sessionId, sessionToken, message }: Record<string, unknown> = Object(answer);
  const isThere = typeof sessionId === 'string' && typeof sessionToken === 'string';
  if (fails) {
    if (isThere) throw new Error('the call led to a session, and was not meant to');
    return;
  }
  if (!isThere) throw new Error(`the provider answered ${response.status}, ${String(message)}`);
  run.ids.set(session, sessionId);
  run.tokens.set(session, sessionToken);
}

/** Whatever it answers: a validate that is refused is repeated as such. */
async function validate(session: string, run: Run): Promise<void> {
  await post(run, '/api/v1/sessions/validate', run.secretKey, { sessionId: run.ids.get(session) });
}

async function ask(run: Run, path: string, session: string, body: object): Promise<void> {
  const response = await post(run, path, run.tokens.get(session) ?? '', body);
  if (response.ok) return;
  const { message }: { message?: unknown } = Object(await response.json().catch(() => null));
  throw new Error(`the provider answered ${response.status}, ${String(message)}`);
}

function post({ provider }: Run, path: string, token: string, body: object): Promise<Response> {
  return provider.fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** How long an attempt that another tab makes may still be under way, in real time. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 100;

async function readEvents(run: Run, startMs: number): Promise<ReturnType<typeof toExpectedEvents>> {
  const { client } = run.provider;
  const { ids } = run;
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const untilMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const pages = await Promise.all(
      [...names.keys()].map(async (id) => ({
        events: await client.events({ sessionId: id, limit: 1_000 }),
        deliveries: await client.deliveries({ sessionId: id, limit: 1_000 }),
      })),
    );
    const events = pages.flatMap((page) => page.events);
    const deliveries = pages.flatMap((page) => page.deliveries);
    const isUnderWay = deliveries.some(({ attempts }) =>
      attempts.some(({ finishedAt }) => finishedAt === null),
    );
    if (!isUnderWay || Date.now() > untilMs) {
      return toExpectedEvents({ names, events, deliveries, startMs });
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
