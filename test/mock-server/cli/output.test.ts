import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Announcement, toReadyLine, toText } from '../../../mock-server/cli/output.ts';
import { toTable } from '../../../mock-server/cli/printer.ts';
import { mayColour } from '../../../mock-server/cli/terminal.ts';
import { VERSION } from '../../../mock-server/cli/version.ts';

const announcement = {
  server: {
    apiBase: 'http://127.0.0.1:4010/api/v1',
    controlBase: 'http://127.0.0.1:4010/control/v1',
    shop: 'http://localhost:4010/',
    console: 'http://localhost:4010/console/',
    sdkUrl: 'http://127.0.0.1:4010/sdk.min.js',
    publishableKey: 'pk_1',
    secretKey: 'sk_1',
    webhookSecret: 'whsec_1',
    tenantId: 'tenant-1',
    publicUrl: null,
    publicApiBase: null,
  },
  state: '.ofage/mock.sqlite',
  hasDocs: true,
  allowsLoopback: true,
  demo: { backend: 'http://127.0.0.1:4011' },
  hasEndpoint: true,
  forwardTo: 'http://localhost:3000/hooks',
} as Announcement;

describe('mayColour()', () => {
  it.each<[{ isTTY?: boolean }, Record<string, string>, boolean, string]>([
    [{ isTTY: true }, {}, true, 'a terminal has colours'],
    [{}, {}, false, 'a pipe has none'],
    [{ isTTY: true }, { NO_COLOR: '1' }, false, 'NO_COLOR turns them off'],
    [{ isTTY: true }, { NO_COLOR: '' }, true, 'an empty NO_COLOR counts as not set (no-color.org)'],
    [{ isTTY: true }, { TERM: 'dumb' }, false, 'a dumb terminal has none'],
  ])('%j with %j returns %s: %s', (stream, env, expected) => {
    expect(mayColour(stream, env)).toBe(expected);
  });
});

describe('without a public address', () => {
  it('the text is the same as before there were any', () => {
    expect(toText(announcement, { isColoured: false })).toBe(`OfAge mock ${VERSION}

  Demo shop  open http://localhost:4010
  Console    http://localhost:4010/console/
  Docs       http://localhost:4010/docs/
  API        http://127.0.0.1:4010/api/v1
  Control    http://127.0.0.1:4010/control/v1
  State      .ofage/mock.sqlite
  Webhooks   go to the demo shop's server, http://127.0.0.1:4011
             go to http://localhost:3000/hooks
             to this machine are allowed; production accepts only public https URLs

In your page, instead of the CDN script and without its integrity attribute:
<script src="http://127.0.0.1:4010/sdk.min.js"></script>

In your server's .env:
OFAGE_PUBLISHABLE_KEY=pk_1
OFAGE_SECRET_KEY=sk_1
# OFAGE_WEBHOOK_SECRET signs webhooks to the demo shop and --forward-to.
# An endpoint that you add has its own secret, which the console shows once.
OFAGE_WEBHOOK_SECRET=whsec_1
OFAGE_API_BASE=http://127.0.0.1:4010/api/v1

Ctrl-C stops it. --port NUMBER chooses another port, --help lists all options.
`);
  });

  it('the line of JSON is the same as before there were any', () => {
    expect(toReadyLine(announcement)).toBe(
      '{"apiBase":"http://127.0.0.1:4010/api/v1","controlBase":"http://127.0.0.1:4010/control/v1","shop":"http://localhost:4010/","console":"http://localhost:4010/console/","tenantId":"tenant-1","publishableKey":"pk_1","secretKey":"sk_1","webhookSecret":"whsec_1"}\n',
    );
  });
});

describe('with a public address', () => {
  const withPublic: Announcement = {
    ...announcement,
    server: {
      ...announcement.server,
      publicUrl: 'https://my-mock.example',
      publicApiBase: 'https://my-mock.example/api/v1',
    },
    publicPort: 4020,
  };

  it('the text has two more lines, and all others stay on this computer', () => {
    const lines = toText(withPublic, { isColoured: false }).split('\n');
    const without = toText(announcement, { isColoured: false }).split('\n');
    expect(lines.filter((line) => !without.includes(line))).toEqual([
      '  Public     https://my-mock.example, if your tunnel leads to port 4020',
      '             API for pages on other devices: https://my-mock.example/api/v1',
    ]);
    expect(lines).toEqual(expect.arrayContaining(without));
  });

  it('the line of JSON has two more properties', () => {
    expect(JSON.parse(toReadyLine(withPublic))).toEqual({
      ...JSON.parse(toReadyLine(announcement)),
      publicUrl: 'https://my-mock.example',
      publicApiBase: 'https://my-mock.example/api/v1',
    });
  });
});

describe('toText()', () => {
  it('returns the same text with and without colours', () => {
    const plain = toText(announcement, { isColoured: false });
    const coloured = toText(announcement, { isColoured: true });
    expect(coloured).toContain('\u001b[');
    // The pattern needs the escape character.
    // oxlint-disable-next-line no-control-regex
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(plain);
    expect(plain).toContain('open http://localhost:4010\n');
    expect(plain).toContain('http://localhost:4010/docs/\n');
  });

  it('says where webhooks go', () => {
    const lines = toText(announcement, { isColoured: false }).split('\n');
    const at = lines.findIndex((line) => line.includes('Webhooks'));
    expect(lines.slice(at, at + 3)).toEqual([
      "  Webhooks   go to the demo shop's server, http://127.0.0.1:4011",
      '             go to http://localhost:3000/hooks',
      '             to this machine are allowed; production accepts only public https URLs',
    ]);
    const nowhere = { ...announcement, demo: null, forwardTo: undefined };
    expect(toText({ ...nowhere, allowsLoopback: false }, { isColoured: false })).not.toContain(
      'Webhooks',
    );
  });

  it('contains a script tag and an .env block that can be pasted', () => {
    const lines = toText(announcement, { isColoured: false }).split('\n');
    expect(lines).toContain('<script src="http://127.0.0.1:4010/sdk.min.js"></script>');
    const heading = lines.findIndex((line) => line.includes('.env'));
    const block = lines.slice(heading + 1, lines.indexOf('', heading)).join('\n');
    expect(parseEnv(block)).toEqual({
      OFAGE_PUBLISHABLE_KEY: 'pk_1',
      OFAGE_SECRET_KEY: 'sk_1',
      OFAGE_WEBHOOK_SECRET: 'whsec_1',
      OFAGE_API_BASE: 'http://127.0.0.1:4010/api/v1',
    });
  });

  it('quotes a value as an env file needs it, and says if an env file cannot have it', () => {
    const show = (webhookSecret: string): string =>
      toText(
        { ...announcement, server: { ...announcement.server, webhookSecret } },
        { isColoured: false },
      );
    expect(parseEnv(show('by hand # x'))).toMatchObject({ OFAGE_WEBHOOK_SECRET: 'by hand # x' });
    expect(show('a\\')).toContain('# the value of OFAGE_WEBHOOK_SECRET has a quote or a backslash');
  });

  it.each<[string, Partial<Announcement>, string | null]>([
    ['a demo and --forward-to', {}, 'signs webhooks to the demo shop and --forward-to.'],
    ['--forward-to alone', { demo: null }, 'signs webhooks to --forward-to.'],
    [
      'an endpoint of an earlier run',
      { demo: null, forwardTo: undefined },
      "signs webhooks to the account's first endpoint.",
    ],
    [
      'no endpoint',
      { demo: null, forwardTo: undefined, hasEndpoint: false },
      'is for the first endpoint that you add: in the console, or with --forward-to.',
    ],
    [
      'an endpoint that does not sign',
      { server: { ...announcement.server, webhookSecret: null } },
      null,
    ],
  ])('says where the webhook secret comes from with %s', (_what, change, sentence) => {
    for (const envFile of [undefined, '.env']) {
      const text = toText({ ...announcement, ...change, envFile }, { isColoured: false });
      if (sentence === null) expect(text).not.toContain('OFAGE_WEBHOOK_SECRET');
      else expect(text).toContain(`OFAGE_WEBHOOK_SECRET ${sentence}\n`);
    }
  });

  it('names the demo shop only if there is one, and says if its server does not run', () => {
    const first = (demo: Announcement['demo']): string | undefined =>
      toText({ ...announcement, demo }, { isColoured: false }).split('\n')[2];
    expect(first(null)).toBe('  Begin      open http://localhost:4010');
    expect(first({ backend: undefined })).toBe(
      "  Demo shop  open http://localhost:4010 (pages only: the shop's server is not running)",
    );
  });
});

const columns = [
  { title: 'NAME', of: ({ name }: { name: string | null }) => name },
  { title: 'N', of: ({ n }: { n: number }) => n },
];

it('toTable() aligns columns, shows a missing value as none, and trims trailing spaces', () => {
  const items = [
    { name: 'a long name', n: 1 },
    { name: null, n: 20 },
  ];
  expect(toTable(columns, items)).toEqual(['NAME         N', 'a long name  1', 'none         20']);
});

it('toTable() escapes control characters, so that data cannot move the cursor', () => {
  const [, row] = toTable(columns, [{ name: 'a\u001b[2J\nb\u009b', n: 0 }]);
  expect(row).toBe('a\\u001b[2J\\u000ab\\u009b  0');
});
