import * as fc from 'fast-check';
import { ControlError } from 'ofage-mock/client';
import { describe, expect, it } from 'vitest';
import { parseDuration, readInstant, toDuration } from '../../../mock-server/cli/times.ts';
import { parseInvocation } from '../../../mock-server/cli/invocation.ts';
import { describeFailure, parseMockUrl } from '../../../mock-server/cli/mock-address.ts';

const optionsOf = (...argv: string[]) => {
  const invocation = parseInvocation(argv);
  if (invocation.kind !== 'start') throw new Error(JSON.stringify(invocation));
  return invocation.options;
};

describe('parseInvocation()', () => {
  it('returns the default settings of start if there are no options', () => {
    expect(optionsOf()).toEqual({
      port: 4010,
      host: '127.0.0.1',
      data: { kind: 'default' },
      config: undefined,
      forwardTo: undefined,
      sendWebhooks: false,
      allowLoopbackWebhooks: false,
      seed: undefined,
      demo: false,
      quiet: false,
      json: false,
    });
    expect(optionsOf('start')).toEqual(optionsOf());
  });

  it.each<[string[], object, string]>([
    [['--port', '0'], { port: 0 }, 'a free port'],
    [['start', '--port', '5000'], { port: 5000 }, 'the option after the command'],
    [['--host', 'localhost'], { host: '127.0.0.1' }, 'the name of the default address'],
    [['--host', '::1'], { host: '::1' }, 'an IPv6 address'],
    [['--host', '[::1]'], { host: '::1' }, 'an IPv6 address in brackets, as in a URL'],
    [['--host', '0:0:0:0:0:0:0:1'], { host: '::1' }, 'an IPv6 address in full'],
    [['--data', 'a b.sqlite'], { data: { kind: 'file', path: 'a b.sqlite' } }, 'a file'],
    [['--ephemeral'], { data: { kind: 'memory' } }, 'memory only'],
    [
      ['--forward-to', 'localhost:3000/hooks'],
      { forwardTo: 'http://localhost:3000/hooks' },
      'a URL without a scheme',
    ],
    [['--config', 'mock.json'], { config: 'mock.json' }, 'a config file'],
    [['--forward-to', 'https://a.example/h'], { forwardTo: 'https://a.example/h' }, 'a full URL'],
    [['--allow-loopback-webhooks'], { allowLoopbackWebhooks: true }, 'a switch'],
    [['--send-webhooks'], { sendWebhooks: true }, 'the end of a hold'],
    [['--seed', '7'], { seed: 7 }, 'a random seed'],
    [[], { demo: false }, 'no demo by default'],
    [['--demo'], { demo: true }, 'the demo shop'],
    [['--no-demo'], { demo: false }, 'no demo, said explicitly'],
    [['--quiet', '--json'], { quiet: true, json: true }, 'two switches'],
  ])('reads %j as %j: %s', (argv, expected) => {
    expect(optionsOf(...argv)).toMatchObject(expected);
  });

  it.each<[string[], string]>([
    [['--help'], 'help'],
    [['help'], 'help'],
    [['help', 'events'], 'help'],
    [['events', '-h', 'anything'], 'help'],
    [['start', '--help', '--port', '1'], 'help'],
    [['--version'], 'version'],
  ])('reads %j as %s', (argv, kind) => {
    expect(parseInvocation(argv).kind).toBe(kind);
  });

  it.each<[string[], RegExp, string]>([
    [
      ['nonsense'],
      /^Unknown command "nonsense"; supported commands: start, trigger, /,
      'no similar command',
    ],
    [['strat'], /^Unknown command "strat"; did you mean start\?/, 'a typo'],
    [['help', 'EVNTS'], /^Unknown command "EVNTS"; did you mean events\?/, 'a typo after help'],
    [['sess'], /did you mean sessions\?/, 'the beginning of one command'],
    [['se'], /^Unknown command "se"; supported/, 'the beginning of two commands'],
    [
      ['--data', 'mysql://user:s3cret@localhost/mock'],
      /^--data must be a file or a postgres:\/\/ URL, got "mysql:\/\/…"/,
      'an unsupported database, without its password',
    ],
    [['start', 'now'], /^start takes no arguments; unexpected argument "now"/, 'an extra argument'],
    [['--prot', '1'], /^Unknown option '--prot'; did you mean --port\?/, 'an unknown option'],
    [['--port'], /^--port needs a value \(see/, 'a missing value'],
    [
      ['--data', '--json'],
      /^--data needs a value, and "--json" looks like an option; if it is the value, write --data=--json \(see/,
      'an option instead of a value',
    ],
    [
      ['--port', 'x'],
      /^--port must be an integer from 0 to 65535, got "x" \(see ofage-mock --help\)$/,
      'not a number',
    ],
    [
      ['--port', '-1'],
      /^--port needs a value, and "-1" looks like an option; if it is the value, write --port=-1 \(see/,
      'a negative number',
    ],
    [
      ['--port=-1'],
      /^--port must be an integer from 0 to 65535, got "-1" /,
      'a negative number after an equals sign',
    ],
    [['--port', '40.5'], /got "40.5" /, 'a fraction'],
    [['--no-port'], /--no-port/, 'an option that cannot be negated'],
    [['--seed', '4294967296'], /^--seed must be .* 4294967295/, 'more than 32 bits'],
    [['--host', '0.0.0.0'], /^--host must be a loopback address/, 'all network interfaces'],
    [['--host', 'example.com'], /^--host must be/, 'a host name'],
    [['--data', ''], /^--data must name a file/, 'an empty value'],
    [['--data', 'a', '--ephemeral'], /cannot be used together /, 'a contradiction'],
    [['--forward-to', 'ftp://a.example/'], /^--forward-to must be/, 'an unsupported scheme'],
    [['--forward-to', 'http://'], /^--forward-to must be/, 'no host'],
  ])('rejects %j with %s: %s', (argv, message) => {
    const invocation = parseInvocation(argv);
    expect(invocation).toMatchObject({ kind: 'misuse', message: expect.stringMatching(message) });
    if (invocation.kind === 'misuse') expect(invocation.message).not.toContain('\n');
  });

  it('never throws, for any command line (property)', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '--port',
        '--host',
        '--data',
        '--no-demo',
        '--',
        '-',
        'start',
        'events',
        'clock',
        'help',
        'advance',
        '--follow',
        '--seed=',
        '-x',
      ),
    );
    fc.assert(
      fc.property(fc.array(word), (argv) => {
        expect(['start', 'command', 'help', 'version', 'misuse']).toContain(
          parseInvocation(argv).kind,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('parseDuration()', () => {
  it.each<[string, number]>([
    ['0s', 0],
    ['500ms', 500],
    ['90s', 90_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['1h30m', 5_400_000],
    ['1m500ms', 60_500],
  ])('reads %s as %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    ['', 'an empty string'],
    ['10', 'no unit'],
    ['-10m', 'a negative number'],
    ['1.5h', 'a fraction'],
    ['10 m', 'a space'],
    ['10min', 'an unknown unit'],
    ['1e3s', 'an exponent'],
    ['99999999999999d', 'more than the largest safe integer'],
  ])('rejects %j: %s', (text) => {
    expect(() => parseDuration(text)).toThrow(`Invalid duration "${text}": use a number`);
  });

  it('is the inverse of toDuration() (property)', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (ms) => {
        expect(parseDuration(toDuration(ms))).toBe(ms);
      }),
    );
  });
});

describe('toDuration()', () => {
  it.each([
    [0, '0s'],
    [598_000, '9m58s'],
    [90_061_001, '1d1h1m1s1ms'],
  ])('writes %i ms as %s', (ms, text) => {
    expect(toDuration(ms)).toBe(text);
  });
});

describe('readInstant()', () => {
  it.each([
    // As the command prints it.
    ['2026-01-31 12:00:00.123 UTC', '2026-01-31T12:00:00.123Z', 'as the command prints it'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z', 'a date is midnight UTC'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z', 'without seconds'],
    ['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z', 'with a fraction of a second'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z', 'a leap day'],
    ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z', 'with a different time zone'],
  ])('reads %s as %s: %s', (text, iso) => {
    expect(readInstant(text)).toBe(iso);
  });

  it.each([
    ['2026-01-31T12:00:00', 'no time zone, so it would depend on the machine'],
    ['2026-02-30', 'no such day'],
    ['2026-1-1', 'not ISO 8601'],
    ['1767225600000', 'a number of milliseconds'],
    ['', 'an empty string'],
  ])('rejects %j: %s', (text) => {
    expect(() => readInstant(text)).toThrow(`Invalid instant "${text}": use a date, or `);
  });
});

describe('parseMockUrl()', () => {
  it.each([
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010', 'an origin'],
    ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010', 'a trailing slash'],
    ['localhost:4010', 'http://localhost:4010', 'no scheme'],
    ['http://127.0.0.1:4010/control/v1', 'http://127.0.0.1:4010', 'the control base'],
    ['http://127.0.0.1:4010/api/v1/', 'http://127.0.0.1:4010', 'the API base'],
    ['http://[::1]:4010', 'http://[::1]:4010', 'an IPv6 address'],
  ])('reads %s as %s: %s', (text, url) => {
    expect(parseMockUrl('--url', text)).toBe(url);
  });

  it.each([
    ['', 'an empty string'],
    ['ftp://localhost', 'an unsupported scheme'],
    ['http://', 'no host'],
    ['http://localhost:4010/elsewhere', 'an unknown path'],
    ['localhost:99999', 'an invalid port'],
  ])('rejects %j: %s', (text) => {
    expect(() => parseMockUrl('OFAGE_MOCK_URL', text)).toThrow(
      `OFAGE_MOCK_URL must be the address of a mock, such as http://127.0.0.1:4010, got "${text}"`,
    );
  });
});

it('describeFailure() joins several messages of the service', () => {
  const error = new ControlError('refused', 400, ['a is wrong', 'b too']);
  expect(describeFailure(error, 'http://127.0.0.1:4010')).toContain('a is wrong; b too');
});
