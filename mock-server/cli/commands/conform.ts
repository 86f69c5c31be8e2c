import {
  compareReports,
  LEVELS,
  parseReport,
  REPORTER_NAMES,
  REPORTERS,
  toSummaryLine,
  type Report,
  type ReporterName,
} from '../../../conformance/index.ts';
import { DEFAULT_URL } from '../../api/client.ts';
import { reasonOf } from '../../store/errors.ts';
import {
  choiceOf,
  type Command,
  integerOf,
  requireArguments,
  textOf,
  type Values,
} from '../command.ts';
import { checkImplementation, type ConformOptions } from '../conform-run.ts';
import { readJsonFile } from '../files.ts';

export const conform: Command = {
  name: 'conform',
  takes: '',
  summary: 'check an implementation of the service against the specification',
  action: 'check the implementation',
  details: `Sends requests to the API and compares the responses with the specification.
Checks that need more than the API use a driver: control is the control API of
the mock, interactive asks you to finish verifications, and FILE is a module
of your own. Checks of the hosted page use the browser that --browser names.
Checks whose driver or browser is missing are skipped.
The level reading adds checks of our interpretation of gaps in the specification.
The exit code is 1 if a check failed. Use a mock whose data you do not need,
because its clock is moved.`,
  options: {
    api: { type: 'string', value: 'URL', text: 'base URL of the API (default: that of the mock)' },
    'secret-key': { type: 'string', value: 'KEY', text: 'not needed with --driver control' },
    'publishable-key': { type: 'string', value: 'KEY', text: 'not needed with --driver control' },
    driver: {
      type: 'string',
      value: 'NAME|FILE',
      text: 'control, interactive or a module (default control; none if --api is set)',
    },
    browser: {
      type: 'string',
      value: 'NAME|FILE',
      text: 'chromium, firefox or webkit of your Playwright, or the path of Chromium',
    },
    receiver: {
      type: 'string',
      value: 'URL',
      text: 'public address that forwards to --receiver-port',
    },
    'receiver-port': {
      type: 'string',
      value: 'NUMBER',
      text: 'port for webhooks (default: a free one)',
    },
    'return-url': {
      type: 'string',
      value: 'URL',
      text: 'an allowed returnUrl (default http://localhost/return)',
    },
    level: {
      type: 'string',
      value: 'LEVEL',
      text: 'must, should (default) or reading; each includes the previous levels',
    },
    only: {
      type: 'string',
      value: 'ID',
      text: 'only the checks or groups with these ids: create.policy,validate',
    },
    reporter: {
      type: 'string',
      value: 'NAME',
      text: `${REPORTER_NAMES.join(', ')} (default summary)`,
    },
    name: { type: 'string', value: 'TEXT', text: 'name of the implementation in comparisons' },
    compare: {
      type: 'string',
      value: 'FILE',
      text: 'show differences from an earlier report, written with --reporter json',
    },
  },
  read(words, values) {
    requireArguments('conform', [], words);
    const options = readOptions(values);
    return async (mock, print) => {
      const earlier = options.compare === undefined ? undefined : readReport(options.compare);
      const report = await checkImplementation(options, mock.origin);
      const format = REPORTERS[options.reporter];
      const comparison = earlier ? toComparison(report, earlier) : [];
      // Programs parse the other formats, so everything except the report is written to standard error.
      const isParsed = options.reporter !== 'summary';
      print.text(report, () => [...(isParsed ? [] : comparison), format(report)]);
      if (isParsed) for (const line of [...comparison, toSummaryLine(report)]) print.note(line);
      return report.results.some(({ status }) => status === 'failed') ? 1 : 0;
    };
  },
};

function readOptions(values: Values): ConformOptions & {
  reporter: ReporterName;
  compare: string | undefined;
} {
  const only = textOf(values, 'only');
  return {
    apiBase: parseApiBase(textOf(values, 'api')),
    secretKey: textOf(values, 'secret-key'),
    publishableKey: textOf(values, 'publishable-key'),
    driver: textOf(values, 'driver'),
    browser: textOf(values, 'browser'),
    receiver: textOf(values, 'receiver'),
    receiverPort: integerOf(values, 'receiver-port', { min: 0, max: 65_535 }),
    returnUrl: textOf(values, 'return-url'),
    level: choiceOf(values, 'level', LEVELS) ?? 'should',
    only: only?.split(','),
    name: textOf(values, 'name'),
    reporter: choiceOf(values, 'reporter', REPORTER_NAMES) ?? 'summary',
    compare: textOf(values, 'compare'),
  };
}

function parseApiBase(text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^https?:/i.test(text))) return text;
  throw new RangeError(
    `--api must be the base URL of an API, such as ${DEFAULT_URL}/api/v1, got "${text}"`,
  );
}

function readReport(file: string): Report {
  try {
    return parseReport(readJsonFile(file));
  } catch (cause) {
    throw new Error(`Cannot use the report "${file}": ${reasonOf(cause)}`, { cause });
  }
}

function toComparison(report: Report, earlier: Report): string[] {
  const differences = compareReports(report, earlier);
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  const line = `${count} between ${report.name} and ${earlier.name}`;
  return [...differences, line, ''];
}
