import {
  conform,
  REPORTERS,
  toSummaryLine,
  type KitOptions,
  type Report,
} from 'ofage-mock/conformance';
import { describe, expect, it } from 'vitest';
import type { Check } from '../../mock-server/conformance/check.ts';
import { CREATE, post } from '../../mock-server/conformance/exchange.ts';
import { anImplementation, openRun, type Fetch } from './a-run.ts';

async function runOne(change: Partial<Check>, more: Partial<KitOptions> = {}) {
  const { options } = await anImplementation();
  return openRun({ ...options, ...more }).check(change);
}

describe('runCheck', () => {
  it('fails a check whose list of examples is empty, because it proves nothing', async () => {
    const { status, failure } = await runOne({ examples: {} });
    expect(status).toBe('failed');
    expect(failure?.answered).toBe('a check whose list of examples is empty');
  });

  const SKIPPED = 'not here';
  const run: Check['run'] = async (world, example) => {
    if (example === 'skip') world.skip(SKIPPED);
    if (example !== 'pass') throw new Error(String(example));
  };

  it.each([
    ['passed', ['pass', 'pass'], null, null],
    ['passed', ['skip', 'pass'], null, null],
    ['skipped', ['skip', 'skip'], SKIPPED, null],
    ['failed', ['skip', 'pass', 'x', 'y'], null, ['2', '3']],
  ])('%s: its examples end with %j', async (status, ends, reason, failed) => {
    const examples = Object.fromEntries(ends.map((end, index) => [`${index}`, end]));
    const result = await runOne({ examples, run });
    expect(result).toMatchObject({ status, reason });
    expect(result.failure?.examples ?? null).toEqual(failed);
  });

  /** A browser whose pages cannot be closed. */
  function aBrowser(): NonNullable<KitOptions['browser']> {
    const nothing = async () => null;
    const close = () => Promise.reject(new Error('the browser has crashed'));
    const page = { on: nothing, route: nothing, goto: nothing, close };
    const context = { addInitScript: nothing, newPage: async () => page, close: nothing };
    return { newContext: async () => context } as unknown as ReturnType<typeof aBrowser>;
  }

  it.each([
    ['the error of the end', 'passes', 'an error: the browser has crashed'],
    ['the error of the check', 'fails', 'an error: the check itself'],
  ])(
    'does not reject if a check cannot be ended, and reports %s if it %s',
    async (_, how, text) => {
      const opensAPage: Check['run'] = async (world) => {
        await world.openPage('about:blank');
        if (how === 'fails') throw new Error('the check itself');
      };
      const result = await runOne({ opensPages: true, run: opensAPage }, { browser: aBrowser() });
      expect(result).toMatchObject({ status: 'failed', failure: { answered: text } });
    },
  );

  it('does not follow a redirect of the API', async () => {
    const inits: RequestInit[] = [];
    const { fetch } = (await anImplementation()).options;
    const spy: Fetch = (url, init) => {
      inits.push(init);
      return fetch(url, init);
    };
    await runOne(
      { run: async ({ send, sk }) => void (await send(post(CREATE, {}, sk))) },
      { fetch: spy },
    );
    expect(inits.map(({ redirect }) => redirect)).toEqual(['manual']);
  });
});

describe('a service that stops', () => {
  const refuse = (): Promise<Response> =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
  const hang: Fetch = (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });

  /** Runs some checks against a service that stops at the create request with the body `null`. */
  async function runUntilItStops(stopped: Fetch): Promise<Report> {
    const { fetch, ...options } = (await anImplementation()).options;
    let isUp = true;
    const fetchUntil: Fetch = (url, init) => {
      if (init.body === 'null') isUp = false;
      return isUp ? fetch(url, init) : stopped(url, init);
    };
    const only = ['body.create', 'session.id', 'auth.missing'];
    const results = await conform({ ...options, fetch: fetchUntil, only, responseMs: 1_000 });
    const startedAt = new Date(0).toISOString();
    return {
      name: 'it',
      apiBase: options.apiBase,
      level: 'should',
      startedAt,
      durationMs: 0,
      results,
    };
  }

  it.each([
    ['refuses connections', refuse, 'fetch failed: connect ECONNREFUSED'],
    ['no longer responds', hang, 'no complete response within 1000 ms'],
  ])('and %s ends the run at the request, and is reported once', async (_why, stopped, error) => {
    const report = await runUntilItStops(stopped);
    const { results } = report;
    const failed = results.filter(({ status }) => status === 'failed');
    expect(failed).toMatchObject([
      {
        id: 'body.create.not-an-object',
        failure: {
          sent: expect.stringMatching(/^POST \/sessions\/create, null, authorization/),
          answered: expect.stringMatching(
            new RegExp(`^${error}.*\\. The service no longer responds\\. `),
          ),
          // Those after it were not tried.
          examples: ['null'],
          endsRun: true,
        },
      },
    ]);
    const reason =
      /^not run, because the service stopped responding in body\.create\.not-an-object \(POST \/sessions\/create, null/;
    const others = results.filter((result) => result !== failed[0]);
    const skipped = others.filter((result) => reason.test(result.reason ?? ''));
    expect(skipped.map(({ id }) => id)).toContain('body.create.truncated');
    expect(skipped.length + others.filter(({ status }) => status === 'passed').length).toBe(
      others.length,
    );

    const text = REPORTERS.summary(report);
    expect(text.match(/^FAILED /gm)).toHaveLength(1);
    expect(text.match(/^SKIPPED /gm)).toHaveLength(1);
    expect(REPORTERS.junit(report).match(/<testcase /g)).toHaveLength(results.length);
    expect(JSON.parse(REPORTERS.json(report)).results).toHaveLength(results.length);
    expect(toSummaryLine(report)).toContain(`1 failed, ${skipped.length} skipped`);
  });

  it('is reported even if its driver cannot be closed', async () => {
    const { fetch, ...options } = (await anImplementation()).options;
    let isUp = true;
    const fetchUntil: Fetch = (url, init) => {
      if (init.body === 'null') isUp = false;
      return isUp ? fetch(url, init) : refuse();
    };
    const driver = { close: () => Promise.reject(new Error('connect ECONNREFUSED')) };
    const run = { ...options, driver, only: ['body.create'] };
    const results = await conform({ ...run, fetch: fetchUntil });
    expect(results.map(({ status }) => status)).toEqual(['failed', 'skipped']);
    await expect(conform({ ...run, fetch })).rejects.toThrow('ECONNREFUSED');
  });

  it('names the last request with a response if it stops between two requests', async () => {
    const { fetch, ...options } = (await anImplementation()).options;
    let isUp = true;
    const fetchOnce: Fetch = async (url, init) => {
      if (!isUp) return refuse();
      const response = await fetch(url, init);
      if (init.body === 'null') isUp = false;
      return response;
    };
    const results = await conform({ ...options, fetch: fetchOnce, only: ['body.create'] });
    const failure = results.find(({ status }) => status === 'failed')?.failure;
    expect(failure?.answered).toMatch(
      /The last request with a response: POST \/sessions\/create, null, .*, of the check body\.create\.not-an-object$/,
    );
  });

  it('for one request only does not end the run', async () => {
    const { fetch, ...options } = (await anImplementation()).options;
    const dropOne: Fetch = (url, init) => (init.body === 'null' ? refuse() : fetch(url, init));
    const results = await conform({ ...options, fetch: dropOne, only: ['body.create'] });
    expect(results.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'body.create.not-an-object failed',
      'body.create.truncated passed',
    ]);
  });
});
