import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCTOR_CODES } from '../../../mock-server/doctor/examine.ts';
import { HELP } from '../../../mock-server/help/help-entries.ts';
import { type MockServer, startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { OFAGE_ERROR_CODES } from '../../../src/server/errors.ts';
import { parsePolicy } from '../../support/content-policy.ts';
import { type } from '../cli/a-terminal.ts';

let server: MockServer;
let origin: string;
beforeAll(async () => {
  server = await startMockServer({ port: 0 });
  ({ origin } = new URL(server.apiBase));
});
afterAll(() => server.close());

/** Returns the addresses of all links and other resources of a page. */
function findAddresses(html: string): string[] {
  const visit = (node: Tree.Node): string[] => [
    ...('attrs' in node
      ? node.attrs.filter(({ name }) => /^(href|src)$/.test(name)).map(({ value }) => value)
      : []),
    ...('childNodes' in node ? node.childNodes.flatMap(visit) : []),
  ];
  return visit(parse(html));
}

const CODES = [...new Set(HELP.map(({ code }) => code))];

describe('the help of a mock', () => {
  it('has an entry for each error of the server kit, each finding, and the warnings', () => {
    expect(CODES).toEqual(
      expect.arrayContaining([...OFAGE_ERROR_CODES, ...DOCTOR_CODES, 'popup_blocked', 'warnings']),
    );
  });

  it.each(CODES)(
    'shows a page for %s that loads only its font and leads only to this mock',
    async (code) => {
      const response = await fetch(`${origin}/help/${code}`);
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(parsePolicy(response)).toMatchObject({
        'default-src': ["'none'"],
        'font-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'form-action': ["'none'"],
      });
      expect(html).toContain(`<h1>${code}</h1>`);
      const [, main = ''] = /<main>([^]*)<\/main>/.exec(html) ?? [];
      expect(main).not.toMatch(/\]\(|\|\s|`/); // no rest of the tables' Markdown
      for (const address of findAddresses(html)) expect(address).toMatch(/^\/(?!\/)/);
    },
  );

  it('shows the cause and the fix from each source of a code', async () => {
    const html = await (await fetch(`${origin}/help/rate_limited`)).text();
    const sources = ['browser SDK', 'server kit', 'doctor'];
    for (const source of sources) expect(html).toMatch(new RegExp(`From the ${source}`));
    expect(html).toContain('<code>error.retryAfterMs</code>');
  });

  it('lists all codes', async () => {
    const links = findAddresses(await (await fetch(`${origin}/help/`)).text());
    for (const code of CODES) expect(links).toContain(`/help/${code}`);
  });

  it('repeats an unknown code as text, and suggests the nearest one', async () => {
    const near = await fetch(`${origin}/help/popup_blokced`);
    expect(near.status).toBe(404);
    expect(findAddresses(await near.text())).toContain('/help/popup_blocked');
    const far = await (await fetch(`${origin}/help/%3Cscript%3Ealert(1)%26lt;`)).text();
    expect(far).toContain('has the code <code>&lt;script>alert(1)&amp;lt;</code>.');
    expect(far).not.toContain('Did you mean');
    const malformed = await (await fetch(`${origin}/help/%E0%A4`)).text();
    expect(malformed).toContain('has the code <code>%E0%A4</code>.');
  });

  it('is also served on the host of the shop', async () => {
    const { port } = new URL(origin);
    expect((await fetch(`http://localhost:${port}/help/aborted`)).status).toBe(200);
  });
});

describe('ofage-mock explain', () => {
  const explain = (...words: string[]) => type(['explain', ...words], {});

  it('prints the cause and the fix without a running mock', async () => {
    const { code, stdout } = await explain('popup_blocked');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^popup_blocked\n {2}From the browser SDK/);
    expect(stdout).toContain('Cause: The browser opened no window');
    expect(stdout).toContain('Fix: Call verify() in the click itself');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'see frames (https://docs.ofage.example/guides/popup/#if-your-page-is-in-a-frame).',
    );
    expect(stdout).not.toMatch(/\]\(|\*\*|`/);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('prints one object per source with --json', async () => {
    const { stdout } = await explain('rate_limited', '--json');
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries).toHaveLength(3);
    expect(entries[1]).toMatchObject({ code: 'rate_limited', fix: expect.any(String) });
  });

  it.each([
    ['popup_blokced', 'Unknown code "popup_blokced"; did you mean popup_blocked?'],
    ['nonsense', 'Unknown code "nonsense"'],
  ])('refuses the code %s', async (word, message) => {
    const { code, stderr } = await explain(word);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
