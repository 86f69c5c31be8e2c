import { SCENARIOS } from '../../api/scenarios.ts';
import { findSecretKey, findTenant, TENANT } from '../accounts.ts';
import { choiceOf, integerOf, requireArguments, textOf, type Command } from '../command.ts';
import { EVENT_KINDS } from '../../store/event-kinds.ts';
import { parseTrigger } from '../scenario-words.ts';
import { showSession } from '../show-session.ts';

const list = (words: readonly string[]): string => words.map((word) => `  ${word}`).join('\n');

export const trigger: Command = {
  name: 'trigger',
  takes: 'SCENARIO|EVENT',
  summary: 'create a session with the outcome of a scenario or an event',
  action: 'trigger the scenario',
  details: `The session is created over the API with the account's secret key and gets
the outcome of the scenario, so its webhooks are sent as in production.

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
    age: { type: 'string', value: 'YEARS', text: "the minimum age (default: the account's)" },
  },
  read(words, values) {
    const [what] = requireArguments('trigger', ['SCENARIO|EVENT'], words);
    const outcome = parseTrigger(what);
    const body = {
      // Every account allows this address, and no browser ever opens it.
      returnUrl: 'http://localhost/',
      externalUserId: textOf(values, 'user'),
      verificationMode: choiceOf(values, 'mode', ['L1', 'L2']),
      challengeAge: integerOf(values, 'age', { min: 25, max: 99 }),
      ...(needsFaceMatch(outcome) && { faceMatchEnabled: true }),
    };
    return async (mock, print) => {
      const key = await findSecretKey(mock, await findTenant(mock, textOf(values, 'tenant')));
      const sessionId = await mock.createSession(key, body);
      await mock.settle(sessionId, outcome);
      await showSession(mock, print, sessionId);
    };
  },
};

function needsFaceMatch(outcome: string): boolean {
  return SCENARIOS.some(({ name, needsFaceMatch }) => name === outcome && needsFaceMatch);
}
