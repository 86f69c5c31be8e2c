import { SCENARIOS, type Scenario } from '../../api/scenarios.ts';
import { requireArguments, type Command } from '../command.ts';
import type { Column } from '../table.ts';

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
