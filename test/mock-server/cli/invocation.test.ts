import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInvocation } from '../../../mock-server/cli/invocation.ts';

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
      allowLoopbackWebhooks: false,
      seed: undefined,
      demo: true,
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
    [['--seed', '7'], { seed: 7 }, 'a random seed'],
    [['--no-demo'], { demo: false }, 'demo off'],
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
