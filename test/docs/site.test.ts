import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCodes } from '../../mock-server/help/code-tables.ts';
import { fetchDocument } from '../../docs/build/documents.mjs';
import { toCliPage, splitOpenApi } from '../../docs/build/reference.mjs';
import { toContent, toExtension } from '../../docs/build/markdown.mjs';
import { withCellLabels } from '../../docs/build/table-labels.mjs';
import { toWebhookPage } from '../../docs/build/webhook-reference.mjs';
import { COMMANDS } from '../../mock-server/cli/commands.ts';
import { toCommandHelp, toStartHelp } from '../../mock-server/cli/help.ts';
import { EVENT_KINDS } from '../../mock-server/store/event-kinds.ts';
import { DOCTOR_CODES } from '../../mock-server/doctor/examine.ts';
import { OFAGE_ERROR_CODES } from '../../src/server/errors.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Converts a guide with this text, and returns the part after the front matter. */
const convert = (text: string): string =>
  toContent(
    'guides/popup.md',
    `# Popup\n\n${text}\n`,
    join(ROOT, 'docs/site/content/docs/guides/popup.md'),
  ).replace(/^---[^]*?---\n\n/, '');

it('the picture of the start page has words of at least 12 px on a phone', () => {
  const [, file = ''] =
    /<source media="\(max-width: 40rem\)" srcset="([^"]+)"/.exec(
      readFileSync(join(ROOT, 'docs/README.md'), 'utf8'),
    ) ?? [];
  const picture = readFileSync(join(ROOT, 'docs', file), 'utf8');
  const [, width] = /viewBox="0 0 (\d+) /.exec(picture) ?? [];
  const sizes = Array.from(picture.matchAll(/font-size="([\d.]+)"/g), ([, size]) => Number(size));
  // The width of the text on a phone of 360 px.
  expect((Math.min(...sizes) * 328) / Number(width)).toBeGreaterThan(12);
});

describe('a page of the site', () => {
  it('gets its title and description from its first lines', () => {
    const page = toContent('guides/popup.md', '# The `popup`\n\nOpens a **window**.\n', ROOT);
    expect(page).toMatch(/^---\ntitle: "The popup"\ndescription: "Opens a window\."\n---\n/);
  });

  it('has the site’s title once, also on the first page', () => {
    const page = toContent('README.md', '# OfAge\n\nAge verification.\n', ROOT);
    expect(page).toContain(
      '\nhead: [{ tag: title, content: "OfAge: age verification for the web" }]\n',
    );
  });

  it('has only alerts that the code host knows', () => {
    expect(convert('> [!TIP]\n> Text')).toContain(':::tip\nText\n:::');
    expect(() => convert('> [!INFO]\n> Text')).toThrow(
      'docs/guides/popup.md has an alert [!INFO]; the code host knows NOTE, TIP',
    );
  });

  it('must begin with its title', () => {
    expect(() => toContent('guides/popup.md', 'Text', ROOT)).toThrow(
      'docs/guides/popup.md must begin with its title',
    );
  });

  it.each([
    ['[a](redirect.md#the-return-page)', '[a](/docs/guides/redirect/#the-return-page)'],
    ['[a](../errors.md)', '[a](/docs/errors/)'],
    [
      '[a](../decisions/README.md)',
      '[a](https://github.com/ofage-example/ofage/blob/main/docs/decisions/README.md)',
    ],
    ['[a](../README.md)', '[a](/docs/)'],
    ['[a](../../CHANGELOG.md)', '[a](/docs/changelog/)'],
    ['[a](../../src/urls.ts)', '[a](https://github.com/ofage-example/ofage/blob/main/src/urls.ts)'],
    [
      '[a](../../src/urls.ts#L7)',
      '[a](https://github.com/ofage-example/ofage/blob/main/src/urls.ts#L7)',
    ],
    [
      '[a](../decisions/#the-list)',
      '[a](https://github.com/ofage-example/ofage/blob/main/docs/decisions#the-list)',
    ],
    ['[a](../#start)', '[a](/docs/#start)'],
    ['[a](/docs/errors/#b)', '[a](/docs/errors/#b)'],
    ['[a](https://example.org/b.md)', '[a](https://example.org/b.md)'],
    ['[a](#frames)', '[a](#frames)'],
    ['`[a](nothing.md)`', '`[a](nothing.md)`'],
    ['```md\n[a](nothing.md)\n```', '```md\n[a](nothing.md)\n```'],
    ['![a](../images/b.png)', '![a](../../../../images/b.png)'],
  ])('contains %s as %s', (before, after) => {
    expect(convert(before)).toBe(`${after}\n`);
  });

  it('must not link to a file that does not exist', () => {
    expect(() => convert('[a](nothing.md)')).toThrow(
      'docs/guides/popup.md links to nothing.md, which does not exist',
    );
  });

  it('has frames of the playground that load lazily and have a title', () => {
    const frame = convert('<!-- playground: labs/#popup | The popup lab -->');
    expect(frame).toContain(
      '<iframe src="/docs/playground/labs/index.html#popup" title="The popup lab" loading="lazy">',
    );
  });

  it('shows the sections between two comments as tabs, in MDX', () => {
    const text = '<!-- tabs: server -->\n\n### Koa\n\nA.\n\n### Hono\n\nB.\n\n<!-- /tabs -->';
    expect(toExtension(text)).toBe('.mdx');
    const tabs = convert(text).replaceAll(/\n+/g, '');
    expect(tabs).toContain(
      '<Tabs syncKey="server"><TabItem label="Koa">A.</TabItem><TabItem label="Hono">B.</TabItem></Tabs>',
    );
  });

  it('shows a GitHub warning as a caution note', () => {
    expect(convert('> [!WARNING]\n> Hot.\n> Very.').trim()).toBe(':::caution\nHot.\nVery.\n:::');
  });
});

describe('a table of the site', () => {
  it('names the column of each cell, for phones, and keeps its roles', () => {
    const before =
      '<table><thead><tr><th>code</th><th align="left">the <em>fix</em></th></tr></thead>' +
      '<tbody><tr><td><code>a</code></td><td align="left">A</td></tr><tr><td>b</td><td>B</td></tr></tbody></table>';
    const after = withCellLabels(`${before}<p>${before}</p>`);
    expect(Array.from(after.matchAll(/data-label="([^"]*)"/g), ([, label]) => label)).toEqual(
      Array.from({ length: 4 }, () => ['code', 'the fix']).flat(),
    );
    expect(after).toContain('<td role="cell" data-label="the fix" align="left">A</td>');
    expect(after.match(/role="(table|rowgroup|row|columnheader|cell)"/g)).toHaveLength(24);
  });
});

describe('the pages of the site', () => {
  it('contain a page for each error code and each finding', () => {
    const paths = [...readCodes().keys()];
    expect(paths).toContain('errors/popup_blocked');
    for (const code of OFAGE_ERROR_CODES) expect(paths).toContain(`errors/${code}`);
    for (const code of DOCTOR_CODES) expect(paths).toContain(`findings/${code}`);
  });
});

describe('the references of the HTTP API and the control API', () => {
  interface OpenApi {
    readonly info: { readonly title: string };
    readonly tags: readonly { readonly name: string }[];
    readonly paths: Readonly<Record<string, Record<string, { tags: readonly string[] }>>>;
  }
  const tagsOf = ({ paths }: OpenApi): Set<string> =>
    new Set(
      Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)),
    );

  it('divide all operations, and list only groups that have some', async () => {
    const all = (await fetchDocument('openapi.json')) as OpenApi;
    const parts = splitOpenApi(all) as Readonly<Record<string, OpenApi>>;
    const paths = Object.entries(parts).map(([name, part]) => [name, Object.keys(part.paths)]);
    const isControl = (path: string): boolean => path.startsWith('/control/');
    expect(paths).toEqual([
      ['http-api', Object.keys(all.paths).filter((path) => !isControl(path))],
      ['control-api', Object.keys(all.paths).filter(isControl)],
    ]);
    for (const part of Object.values(parts)) {
      expect(part.tags.length).toBeGreaterThan(0);
      expect(new Set(part.tags.map(({ name }) => name))).toEqual(tagsOf(part));
    }
    expect(Object.values(parts).map(({ info }) => info.title)).toEqual(['HTTP API', 'Control API']);
  });
});

describe('the reference of the command', () => {
  it('has the help of every command below its own heading', () => {
    const [, ...sections] = toCliPage().split('\n## ');
    const commands = [...COMMANDS].map((command) => [command.name, toCommandHelp(command)]);
    expect(sections.map((section) => section.split('\n\n```text\n'))).toEqual(
      [['start', toStartHelp()], ...commands].map(([name, help]) => [
        name,
        expect.stringContaining(`${help}`.trimEnd()),
      ]),
    );
  });
});

describe('the reference of the webhooks', () => {
  /** Returns the rows of the page for a field `x` with this schema, and for its inner fields. */
  async function rowsOf(schema: object): Promise<string[]> {
    const document = Object(await fetchDocument('asyncapi.json'));
    document.components.messages['session.started'].payload = {
      type: 'object',
      properties: { x: schema },
    };
    const [section = ''] =
      toWebhookPage(document).split('\n## session.started\n')[1]?.split('\n## ') ?? [];
    return section.split('\n').filter((line) => line.startsWith('| `x'));
  }

  it('has a section, the fields and an example for each event', async () => {
    const page = toWebhookPage(await fetchDocument('asyncapi.json'));
    for (const kind of EVENT_KINDS) {
      const [section = ''] = page.split(`\n## ${kind}\n`)[1]?.split('\n## ') ?? [];
      expect(section).toContain('| `data.sessionId` | uuid | yes |');
      const example = JSON.parse(/```json\n(.+?)```/s.exec(section)?.[1] ?? '{}');
      expect(example.event).toBe(kind);
      for (const field of Object.keys(example.data)) {
        expect(section).toMatch(new RegExp(`^\\| \`data\\.${field}\` `, 'm'));
      }
    }
  });

  it('names the fields of inner objects by their whole path, and says which are always present', async () => {
    const text = { type: 'string' };
    const inner = { type: 'object', properties: { c: text, d: text }, required: ['d'] };
    const outer = { type: 'object', properties: { b: inner }, required: ['b'] };
    const rows = await rowsOf({
      type: 'object',
      properties: { a: outer, e: text },
      required: ['e'],
    });
    expect(rows).toEqual([
      '| `x` | object | no |  |',
      '| `x.a` | object | no |  |',
      '| `x.a.b` | object | yes |  |',
      '| `x.a.b.c` | string | no |  |',
      '| `x.a.b.d` | string | yes |  |',
      '| `x.e` | string | yes |  |',
    ]);
  });

  it.each([
    [{ type: 'string', description: 'A name.' }, 'string | no | A name.'],
    [{ type: 'string', const: 'a' }, '`"a"` | no | '],
    [{ const: false }, '`false` | no | '],
    [{ type: 'string', enum: ['a', null] }, '`"a"` or `null` | no | '],
    [{ type: 'string', format: 'uuid' }, 'uuid | no | '],
    [{ type: 'string', minLength: 1 }, 'string, not empty | no | '],
    [{ type: 'string', minLength: 2 }, 'string, at least 2 characters | no | '],
    [{ type: 'integer', minimum: 0 }, 'integer, at least 0 | no | '],
    [{ type: 'integer', minimum: 1, maximum: 0 }, 'integer, at least 1, at most 0 | no | '],
    [{ type: 'string', pattern: '^a$' }, 'string, matches `^a$` | no | '],
  ])('shows the schema %j as: %s', async (schema, cells) => {
    expect(await rowsOf(schema)).toEqual([`| \`x\` | ${cells} |`]);
  });

  it('links from each channel to the sections of its messages', async () => {
    const page = toWebhookPage(await fetchDocument('asyncapi.json'));
    const links = [...page.matchAll(/^- \[`([^`]+)`\]\(#([^)]+)\)$/gm)].map(([, ...link]) => link);
    expect(links).toEqual(EVENT_KINDS.map((kind) => [kind, kind.replace('.', '')]));
  });

  it('cannot be built if it would omit a part of a schema', async () => {
    const document = Object(await fetchDocument('asyncapi.json'));
    document.components.messages['session.started'].payload.properties.test.deprecated = true;
    expect(() => toWebhookPage(document)).toThrow('does not show "deprecated"');
  });
});
