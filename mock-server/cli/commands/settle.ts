import { requireArguments, type Command } from '../command.ts';
import { parseScenario } from '../scenario-words.ts';
import { showSession } from '../show-session.ts';

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
