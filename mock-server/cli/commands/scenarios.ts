import type { ControlClient } from '../../api/client.ts';
import {
  type Scenario,
  SCENARIO_NAMES,
  type ScenarioName,
  SCENARIOS,
} from '../../api/scenarios.ts';
import { nearest } from '../../api/nearest.ts';
import { EVENT_KINDS, type EventKind } from '../../store/event-kinds.ts';
import { findTenantId, TENANT } from '../accounts.ts';
import { choiceOf, type Command, integerOf, requireArguments, textOf } from '../command.ts';
import { listNewest, PAGE } from '../paging.ts';
import type { Column, Printer } from '../printer.ts';

export const scenarios: Command = {
  name: 'scenarios',
  takes: '',
  summary: 'list the possible outcomes of a session',
  action: 'list scenarios',
  details: `No running mock is needed. A session whose externalUserId begins with
ofage_test:SCENARIO gets that outcome on the hosted page.`,
  read(words) {
    requireArguments('scenarios', [], words);
    return async (_mock, print) => print.list(SCENARIOS, COLUMNS, 'No scenarios');
  },
};

const COLUMNS: readonly Column<Scenario>[] = [
  { title: 'SCENARIO', of: ({ name }) => name },
  { title: 'ENDS AS', of: ({ outcome }) => outcome },
  { title: 'WHAT HAPPENS', of: ({ description }) => description },
];

const list = (words: readonly string[]): string => words.map((word) => `  ${word}`).join('\n');

export const trigger: Command = {
  name: 'trigger',
  takes: 'SCENARIO|EVENT',
  summary: 'create a session with the outcome of a scenario or an event',
  action: 'trigger the scenario',
  details: `The session gets the outcome of the scenario, and its webhooks are sent as in production.

Scenarios
${list(SCENARIOS.map(({ name }) => name))}

Events
${list(EVENT_KINDS)}`,
  options: {
    tenant: TENANT,
    user: { type: 'string', value: 'ID', text: 'the externalUserId of the session' },
    mode: {
      type: 'string',
      value: 'L1|L2',
      text: "the verification mode (default: the account's)",
    },
    age: { type: 'string', value: 'YEARS', text: "the challenge age (default: the account's)" },
  },
  read(words, values) {
    const [what] = requireArguments('trigger', ['SCENARIO|EVENT'], words);
    const wanted = {
      name: parseTrigger(what),
      externalUserId: textOf(values, 'user') ?? null,
      verificationMode: choiceOf(values, 'mode', ['L1', 'L2']) ?? null,
      challengeAge: integerOf(values, 'age', { min: 25, max: 99 }) ?? null,
    };
    return async (mock, print) => {
      const tenantId = (await findTenantId(mock, textOf(values, 'tenant'))) ?? null;
      const { id } = await mock.trigger({ ...wanted, tenantId });
      await showSession(mock, print, id);
    };
  },
};

export const settle: Command = {
  name: 'settle',
  takes: 'SESSION SCENARIO',
  summary: "settle a pending session with a scenario's outcome",
  action: 'settle the session',
  details: `SESSION is a session's id (see ofage-mock sessions). The scenarios are listed by
ofage-mock scenarios.`,
  read(words) {
    const [id, scenario] = requireArguments('settle', ['SESSION', 'SCENARIO'], words);
    const outcome = parseScenario(scenario);
    return async (mock, print) => {
      await mock.settle(id, outcome);
      await showSession(mock, print, id);
    };
  },
};

/**
 * Parses the name of a scenario.
 * @throws {RangeError} with a message that suggests a similar name, or lists all names
 */
function parseScenario(text: string): ScenarioName {
  return SCENARIO_NAMES.find((name) => name === text) ?? refuse(text, 'scenario', SCENARIO_NAMES);
}

/**
 * Parses the name of a scenario or of an event.
 * @throws {RangeError} with a message that suggests a similar name, or lists all names
 */
function parseTrigger(text: string): ScenarioName | EventKind {
  const names = [...SCENARIO_NAMES, ...EVENT_KINDS];
  return names.find((name) => name === text) ?? refuse(text, 'scenario or event', names);
}

function refuse(text: string, what: string, words: readonly string[]): never {
  const meant = nearest(text, words);
  throw new RangeError(
    `Unknown ${what} "${text}"; ${meant ? `did you mean ${meant}?` : `supported: ${words.join(', ')}`}`,
  );
}

/** Shows a session's state, its events and their deliveries. */
async function showSession(mock: ControlClient, print: Printer, id: string): Promise<void> {
  const session = await mock.session(id);
  const of = { filter: { sessionId: id }, limit: PAGE, order: 'oldest first' } as const;
  const events = await listNewest({ list: mock.pages.events, ...of });
  const deliveries = await listNewest({ list: mock.pages.deliveries, ...of });
  const urls = [...new Set(deliveries.map(({ url }) => url))];
  const { status, reason } = session;
  print.result({ session, events, deliveries }, [
    ['Session', session.id],
    ['Status', reason === null ? status : `${status} (${reason})`],
    ['Events', events.map(({ event }) => event).join(', ')],
    ['Webhooks', urls.length === 0 ? 'none: no endpoint receives these events' : urls.join(', ')],
  ]);
}
