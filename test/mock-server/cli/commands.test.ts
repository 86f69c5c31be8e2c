import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../../../mock-server/api/scenarios.ts';
import { type } from './a-terminal.ts';
import { createSession, env, ofageMock, results, server, useServer } from './a-command-line.ts';

useServer();

describe('scenarios', () => {
  it('lists the catalogue, even if no mock is running', async () => {
    await server.close();
    expect(await results('scenarios')).toEqual([...SCENARIOS]);
  });
});

describe('the commands', () => {
  it.each([
    'trigger verified',
    'settle x verified',
    'clock',
    'sessions',
    'events',
    'deliveries',
    'endpoints',
    'test x',
    'resume x',
    'redeliver x',
    'rotate-secret x',
  ])('%s explains in one line how to start a mock if none is running', async (line) => {
    await server.close();
    const { code, stdout, stderr } = await ofageMock(line);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^ofage-mock: Cannot [a-z ]+: no mock is running at http:\/\/127.0.0.1:\d+; start one with ofage-mock start --port \d+, or set its address with --url\n$/,
    );
  });

  it.each([
    ['trigger', 'trigger takes SCENARIO|EVENT; SCENARIO|EVENT is missing'],
    ['trigger veriffied', 'Unknown scenario or event "veriffied"; did you mean verified?'],
    ['trigger verified twice', 'trigger takes SCENARIO|EVENT; unexpected argument "twice"'],
    ['trigger verified --age 20', '--age must be an integer from 25 to 99, got "20"'],
    ['trigger verified --mode L3', '--mode must be one of L1, L2, got "L3"'],
    ['settle x', 'settle takes SESSION and SCENARIO; SCENARIO is missing'],
    ['settle x session.started', 'Unknown scenario "session.started"'],
    ['clock advnce 1m', 'Unknown clock action "advnce"; did you mean advance?'],
    ['clock toString', 'Unknown clock action "toString"'],
    ['clock advance', 'clock advance takes LENGTH; LENGTH is missing'],
    ['clock advance 10', 'Invalid duration "10": use a number with a unit'],
    ['clock freeze now', 'clock freeze takes no arguments; unexpected argument "now"'],
    ['clock set tomorrow', 'Invalid instant "tomorrow": use a date'],
    ['events --kind verified', '--kind must be one of session.started, '],
    ['sessions --limit 0', '--limit must be an integer from 1 to 1000000, got "0"'],
    ['sessions --url nowhere/x', '--url must be the address of a mock'],
    ['sessions --port 1', "Unknown option '--port'"],
    ['sesions', 'Unknown command "sesions"; did you mean sessions?'],
  ])('%s is rejected with one line and exit code 2', async (line, sentence) => {
    const { code, stdout, stderr } = await ofageMock(line);
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 2,
    });
    expect(stderr).toContain(`ofage-mock: ${sentence}`);
    expect(stderr).toMatch(/ \(see ofage-mock (\w+ )?--help\)\n$/);
  });

  it('--url overrides OFAGE_MOCK_URL', async () => {
    expect(
      await type(['clock', '--url', env['OFAGE_MOCK_URL']!], {
        env: { OFAGE_MOCK_URL: 'http://127.0.0.1:9' },
      }),
    ).toMatchObject({ code: 0 });
  });

  it('sessions uses colours only on a terminal, and never with NO_COLOR', async () => {
    await createSession();
    const coloured = async (options: object, extra = {}): Promise<boolean> =>
      (await type(['sessions'], { env: { ...env, ...extra }, ...options })).stdout.includes(
        '\u001b',
      );
    expect(await coloured({ isTTY: true })).toBe(true);
    expect(await coloured({ isTTY: false })).toBe(false);
    expect(await coloured({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  });
});
