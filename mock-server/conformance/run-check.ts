import type { Check, CheckFacts } from './check.ts';
import { openWorld, type OpenWorld } from './create-world.ts';
import { findMissing } from './driver.ts';
import {
  CREATE,
  describeAnswer,
  describeCall,
  summarizeAnswer,
  toAnswer,
  type Answer,
  type Call,
} from './exchange.ts';
import { CheckFailure, CheckSkip, describeError } from './outcome.ts';
import { NO_BROWSER } from './pages/create-visits.ts';
import type { Setting } from './setting.ts';

/** The result of a check, as the reporter `json` writes it. */
export interface CheckResult extends CheckFacts {
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The reason why the check was skipped, or null. */
  readonly reason: string | null;
  /** Null unless the check failed. */
  readonly failure: Failure | null;
  /** The last responses, without values that change from run to run. Null if no response arrived. */
  readonly answer: string | null;
  readonly durationMs: number;
}

/** The request, the expected behaviour and the observed behaviour of one example that failed. */
export interface Failure {
  readonly sent: string;
  readonly expected: string;
  readonly answered: string;
  /** Failures with the same text here have one cause. Null if the failure is about this rule alone. */
  readonly cause: string | null;
  /** True if the service no longer responds after this request. No further check can run. */
  readonly endsRun: boolean;
  /** The names of all examples that failed, this one first. Empty if the check has no examples. */
  readonly examples: readonly string[];
}

type ExampleFailure = Omit<Failure, 'examples'>;

/** The result of a check for one example. */
type Outcome =
  | { readonly status: 'passed'; readonly answer: string | null }
  | { readonly status: 'skipped'; readonly answer: string | null; readonly reason: string }
  | { readonly status: 'failed'; readonly answer: string | null; readonly failure: ExampleFailure };

/** The outcome of an example, with its name. A check without examples has one, without a name. */
type NamedOutcome = Outcome & { readonly name: string | null };

/** Runs a check for each of its examples. Never rejects. */
export async function runCheck(setting: Setting, check: Check): Promise<CheckResult> {
  const startedAtMs = performance.now();
  const outcomes = await runExamples(setting, check);
  const answers = new Set(outcomes.flatMap(({ answer }) => answer ?? []));
  return {
    ...toFacts(check),
    ...toVerdict(outcomes),
    answer: answers.size === 0 ? null : [...answers].join(', '),
    durationMs: Math.round(performance.now() - startedAtMs),
  };
}

/** Returns the result of a check that is not run. */
export function skipCheck(check: Check, reason: string): CheckResult {
  const verdict: Verdict = { status: 'skipped', reason, failure: null };
  return { ...toFacts(check), ...verdict, answer: null, durationMs: 0 };
}

function toFacts({ id, section, sentence, level, kind }: Check): CheckFacts {
  return { id, section, sentence, level, kind };
}

async function runExamples(setting: Setting, check: Check): Promise<NamedOutcome[]> {
  const reason = findReason(setting, check);
  if (reason !== undefined) return [{ name: null, status: 'skipped', answer: null, reason }];
  if (!check.examples) return [{ name: null, ...(await runOnce(setting, check, undefined)) }];
  const outcomes: NamedOutcome[] = [];
  for (const [name, example] of Object.entries(check.examples)) {
    const outcome = await runOnce(setting, check, example);
    outcomes.push({ name, ...outcome });
    if (outcome.status === 'failed' && outcome.failure.endsRun) break;
  }
  return outcomes;
}

/** Returns the reason why a check cannot run, or undefined if it can. */
function findReason({ driver, contexts }: Setting, check: Check): string | undefined {
  const { needs, settings, opensPages } = check;
  if (opensPages && !contexts) return NO_BROWSER;
  return findMissing(driver, settings ? ['createAccount', ...needs] : needs);
}

type Verdict = Pick<CheckResult, 'status' | 'reason' | 'failure'>;

function toVerdict(outcomes: readonly NamedOutcome[]): Verdict {
  // A check that tries nothing proves nothing.
  if (outcomes.length === 0) return { status: 'failed', reason: null, failure: NO_EXAMPLES };
  const failed = outcomes.filter((outcome) => outcome.status === 'failed');
  const shown = failed.find(({ failure }) => failure.endsRun) ?? failed[0];
  if (shown) {
    const names = [shown, ...failed.filter((outcome) => outcome !== shown)].map(({ name }) => name);
    const examples = names.filter((name) => name !== null);
    return { status: 'failed', reason: null, failure: { ...shown.failure, examples } };
  }
  // One example that ran is enough for a verdict.
  if (outcomes.some(({ status }) => status === 'passed'))
    return { status: 'passed', reason: null, failure: null };
  const skipped = outcomes.find((outcome) => outcome.status === 'skipped');
  return { status: 'skipped', reason: skipped?.reason ?? null, failure: null };
}

const NO_EXAMPLES: Failure = {
  sent: 'nothing',
  expected: 'a check with an example',
  answered: 'a check whose list of examples is empty',
  cause: null,
  endsRun: false,
  examples: [],
};

/** Runs a check for one of its examples, in a new world. Never rejects. */
async function runOnce(setting: Setting, check: Check, example: unknown): Promise<Outcome> {
  const calls: Call[] = [];
  const errors: unknown[] = [];
  let opened: OpenWorld | undefined;
  function note(call: Call): void {
    calls.push(call);
  }
  async function sendCall(call: Call): Promise<Answer> {
    note(call);
    const answer = await send(setting, call);
    setting.lastAnswered = `${describeCall(call)}, of the check ${check.id}`;
    return answer;
  }
  try {
    opened = await openWorld(setting, check, sendCall, note);
    await check.run(opened.world, example);
  } catch (error) {
    errors.push(error);
  }
  try {
    await opened?.close();
  } catch (error) {
    errors.push(error);
  }
  const last = opened?.exchanges.at(-1)?.answer;
  const answer = last ? summarizeAnswer(last) : null;
  if (errors.length === 0) return { status: 'passed', answer };
  // The error of the check says more than a later one of its end.
  const [error] = errors;
  if (error instanceof CheckSkip) return { status: 'skipped', answer, reason: error.message };
  const sent = calls.at(-1);
  const call = { sent: sent ? describeCall(sent) : 'nothing' };
  if (error instanceof CheckFailure) {
    const { expected, answered, sharedCause: cause } = error;
    const failure = { ...call, expected, answered, cause, endsRun: false };
    return { status: 'failed', answer, failure };
  }
  const failure = { ...call, ...(await explainError(setting, error, last)) };
  return { status: 'failed', answer, failure };
}

/** Finds out whether an error of a request or of the driver means that the service has stopped. */
async function explainError(
  setting: Setting,
  error: unknown,
  last: Answer | undefined,
): Promise<Omit<ExampleFailure, 'sent'>> {
  const reason = describeError(error);
  if (await responds(setting)) {
    const before = last ? ` (the last response was ${describeAnswer(last)})` : '';
    return {
      expected: 'the check to run to completion',
      answered: `an error: ${reason}${before}`,
      cause: reason,
      endsRun: false,
    };
  }
  const { lastAnswered = 'none' } = setting;
  return {
    expected: 'a response',
    answered: `${reason}. The service no longer responds. The last request with a response: ${lastAnswered}`,
    cause: null,
    endsRun: true,
  };
}

/** Tells whether the service still responds, whatever the response is. */
async function responds(setting: Setting): Promise<boolean> {
  try {
    await send(setting, { method: 'GET', path: CREATE, headers: {} });
    return true;
  } catch {
    return false;
  }
}

export async function send({ apiBase, fetch, responseMs }: Setting, call: Call): Promise<Answer> {
  const base = call.isFromOrigin ? apiBase.origin : apiBase.href.replace(/\/$/, '');
  const { method, headers, body } = call;
  const signal = AbortSignal.timeout(responseMs);
  const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual', signal };
  if (body !== undefined) init.body = body;
  try {
    return await toAnswer(await fetch(base + call.path, init));
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`no complete response within ${responseMs} ms`, { cause: error });
  }
}
