import type { Check, CheckFacts } from './check.ts';
import { openWorld, type OpenWorld } from './create-world.ts';
import { findMissing } from './driver.ts';
import {
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

/** The request, the expected behaviour and the observed behaviour of the first example that failed. */
export interface Failure {
  readonly sent: string;
  readonly expected: string;
  readonly answered: string;
  /** The names of all examples that failed. Empty if the check has no examples. */
  readonly examples: readonly string[];
}

/** The result of one example. */
type Outcome = Pick<CheckResult, 'reason' | 'answer'> & {
  readonly failure: Omit<Failure, 'examples'> | null;
};

/** Runs a check for each of its examples. Never rejects. */
export async function runCheck(setting: Setting, check: Check): Promise<CheckResult> {
  const { id, section, sentence, level, kind, examples } = check;
  const startedAtMs = performance.now();
  const outcomes: [name: string, Outcome][] = [];
  for (const [name, example] of Object.entries(examples ?? { '': undefined }))
    outcomes.push([name, await runExample(setting, check, example)]);
  const failures = outcomes.filter(([, { failure }]) => failure);
  const first = failures[0]?.[1].failure;
  // One example that ran is enough for a verdict.
  const isSkipped = outcomes.every(([, one]) => one.reason !== null);
  const reason = isSkipped ? (outcomes[0]?.[1].reason ?? null) : null;
  const statusWithoutFailure = reason === null ? 'passed' : 'skipped';
  const answers = new Set(outcomes.flatMap(([, { answer }]) => answer ?? []));
  return {
    id,
    section,
    sentence,
    level,
    kind,
    status: first ? 'failed' : statusWithoutFailure,
    reason,
    failure: first ? { ...first, examples: examples ? failures.map(([name]) => name) : [] } : null,
    answer: answers.size === 0 ? null : [...answers].join(', '),
    durationMs: Math.round(performance.now() - startedAtMs),
  };
}

async function runExample(setting: Setting, check: Check, example: unknown): Promise<Outcome> {
  const missing = findReason(setting, check);
  if (missing !== undefined) return { reason: missing, failure: null, answer: null };
  const calls: Call[] = [];
  let opened: OpenWorld | undefined;
  try {
    const note = (call: Call): void => void calls.push(call);
    const sendCall = (call: Call): Promise<Answer> => {
      note(call);
      return send(setting, call);
    };
    opened = await openWorld(setting, check, sendCall, note);
    await check.run(opened.world, example);
    return { reason: null, failure: null, answer: lastAnswer(opened) };
  } catch (error) {
    const answer = lastAnswer(opened);
    if (error instanceof CheckSkip) return { reason: error.message, failure: null, answer };
    return { reason: null, failure: toFailure(error, opened, calls), answer };
  } finally {
    await opened?.close();
  }
}

/** Returns the reason why a check cannot run, or undefined if it can. */
function findReason({ driver, contexts }: Setting, check: Check): string | undefined {
  const { needs, settings, opensPages } = check;
  if (opensPages && !contexts) return NO_BROWSER;
  return findMissing(driver, settings ? ['createAccount', ...needs] : needs);
}

export async function send({ apiBase, fetch }: Setting, call: Call): Promise<Answer> {
  const base = call.isFromOrigin ? apiBase.origin : apiBase.href.replace(/\/$/, '');
  const { method, headers, body } = call;
  const init: RequestInit = { method, headers: { ...headers }, redirect: 'manual' };
  if (body !== undefined) init.body = body;
  return toAnswer(await fetch(base + call.path, init));
}

function lastAnswer(opened: OpenWorld | undefined): string | null {
  const last = opened?.exchanges.at(-1);
  return last ? summarizeAnswer(last.answer) : null;
}

function toFailure(
  error: unknown,
  opened: OpenWorld | undefined,
  calls: readonly Call[],
): Omit<Failure, 'examples'> {
  const last = calls.at(-1);
  const sent = last ? describeCall(last) : 'nothing';
  if (error instanceof CheckFailure) {
    return { sent, expected: error.expected, answered: error.answered };
  }
  const answer = opened?.exchanges.at(-1)?.answer;
  const before = answer ? ` (the last response was ${describeAnswer(answer)})` : '';
  return {
    sent,
    expected: 'the check to run to completion',
    answered: `an error: ${describeError(error)}${before}`,
  };
}
