import {
  type ClientOptions,
  type ResultStore,
  type ValidationResult,
  createClient,
} from 'ofage/server';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryResultStore } from '../../src/server/result-store.ts';
import { aMock } from '../support/a-mock.ts';
import { rejectionOf } from './an-api.ts';
import { SECRET_KEY, SESSION_ID, validationBody } from './builders.ts';
import { waitFor } from '../support/wait-for.ts';

const PENDING = { status: 'pending', verified: false, accessGranted: false, timestamp: null };
const used = () =>
  new Response(JSON.stringify({ message: 'Session has already been used' }), { status: 400 });
const verified = (over: object = {}) => Response.json(validationBody(over));
const pending = () => verified(PENDING);

/** A client whose service sends one response after the other, each when the test calls its function. */
function aServiceThat(...answers: (() => Response | Promise<Response>)[]) {
  const fetch = vi.fn<NonNullable<ClientOptions['fetch']>>(async () => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error('The service was asked too often');
    return answer();
  });
  const connect = (options: Partial<ClientOptions> = {}) =>
    createClient({ secretKey: SECRET_KEY, fetch, ...options });
  return { fetch, connect };
}

/** A response that arrives when the test calls `send`. */
function aSlow(answer: () => Response) {
  let send = (): void => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  return { send, answer: () => sent.then(answer) };
}

describe('validateOnce() asks the service once', () => {
  it('for each of eight sessions with two simultaneous calls, and for later calls', async () => {
    const { service, control, tenantId, secretKey } = await aMock();
    const fetch = vi.fn<NonNullable<ClientOptions['fetch']>>((url, init) =>
      service.fetch(new Request(url, init)),
    );
    const client = createClient({ secretKey, fetch });
    const sessions = await Promise.all(
      Array.from({ length: 8 }, () =>
        control.trigger({ tenantId, name: 'verified', externalUserId: 'user-42' }),
      ),
    );
    const askAll = () =>
      Promise.all([...sessions, ...sessions].map(({ id }) => client.validateOnce(id)));

    const results = [...(await askAll()), ...(await askAll())];

    expect(results.map(({ verified: passed }) => passed)).toEqual(
      Array.from({ length: 32 }, () => true),
    );
    expect(fetch).toHaveBeenCalledTimes(8);
    // Asking the service itself remains possible, and shows that it would have refused a second call.
    const error = await rejectionOf(client.validateSession(sessions[0]!.id));
    expect(error.code).toBe('session_already_used');
  });

  it.each(['verified', 'failed', 'cancelled'] as const)('if the result is %s', async (status) => {
    const over = status === 'verified' ? {} : { status, verified: false, accessGranted: false };
    const { fetch, connect } = aServiceThat(() => verified(over));
    const client = connect();
    for (let call = 0; call < 3; call += 1) {
      expect(await client.validateOnce(SESSION_ID)).toMatchObject({ status });
    }
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('for an id in another letter case', async () => {
    const { fetch, connect } = aServiceThat(verified);
    const client = connect();
    await Promise.all([
      client.validateOnce(SESSION_ID),
      client.validateOnce(SESSION_ID.toUpperCase()),
    ]);
    await client.validateOnce(SESSION_ID.toUpperCase());
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

describe('validateOnce() asks again', () => {
  it('after a pending result', async () => {
    const { connect } = aServiceThat(pending, pending, verified);
    const client = connect();
    expect((await client.validateOnce(SESSION_ID)).status).toBe('pending');
    expect((await client.validateOnce(SESSION_ID)).status).toBe('pending');
    expect((await client.validateOnce(SESSION_ID)).status).toBe('verified');
  });

  it('once for all calls that joined a request whose result is pending', async () => {
    const slow = aSlow(pending);
    const { fetch, connect } = aServiceThat(slow.answer, verified);
    const client = connect();
    const first = client.validateOnce(SESSION_ID);
    await waitFor(() => expect(fetch).toHaveBeenCalledTimes(1));
    // The shopper passes now, after the service has read the state for the first call.
    const joined = [client.validateOnce(SESSION_ID), client.validateOnce(SESSION_ID)];
    slow.send();
    expect((await first).status).toBe('pending');
    expect((await Promise.all(joined)).map(({ status }) => status)).toEqual([
      'verified',
      'verified',
    ]);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('after a failure, which rejects all simultaneous calls', async () => {
    const broken = () => new Response('', { status: 502 });
    const { fetch, connect } = aServiceThat(broken, verified);
    const client = connect();
    const [one, two] = [client.validateOnce(SESSION_ID), client.validateOnce(SESSION_ID)];
    expect([(await rejectionOf(one)).code, (await rejectionOf(two)).code]).toEqual([
      'server_error',
      'server_error',
    ]);
    expect((await client.validateOnce(SESSION_ID)).status).toBe('verified');
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});

it('validateOnce() refuses an id with another form before anything is sent', async () => {
  const { fetch, connect } = aServiceThat();
  for (const id of [undefined, '', 'x', [SESSION_ID]]) {
    expect((await rejectionOf(connect().validateOnce(id as string))).code).toBe(
      'session_id_invalid',
    );
  }
  expect(fetch).not.toHaveBeenCalled();
});

it('the store in memory forgets the oldest results', async () => {
  const store = createMemoryResultStore(2);
  for (const id of ['a', 'b', 'a', 'c']) await store.set(id, validationBody() as never);
  const kept = await Promise.all(
    ['a', 'b', 'c'].map(async (id) => (await store.get(id)) !== undefined),
  );
  expect(kept).toEqual([false, true, true]);
});

/** A store that keeps text, as a table of a database does. */
function aTable() {
  const rows = new Map<string, string>();
  const store: ResultStore = {
    async get(sessionId) {
      const text = rows.get(sessionId);
      return text === undefined ? null : (JSON.parse(text) as ValidationResult);
    },
    async set(sessionId, result) {
      rows.set(sessionId, JSON.stringify(result));
    },
  };
  return { rows, store };
}

describe('resultStore', () => {
  it('gives a second process the result of the first, also after a restart', async () => {
    const { rows, store: resultStore } = aTable();
    const { fetch, connect } = aServiceThat(pending, verified);
    await connect({ resultStore }).validateOnce(SESSION_ID);
    expect(rows.size).toBe(0); // pending
    const first = await connect({ resultStore }).validateOnce(SESSION_ID.toUpperCase());
    expect([...rows.keys()]).toEqual([SESSION_ID]);
    expect(await connect({ resultStore }).validateOnce(SESSION_ID)).toEqual(first);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('is read again while another process may be about to store the result', async () => {
    const { rows, store } = aTable();
    const { connect } = aServiceThat(used);
    let reads = 0;
    const resultStore: ResultStore = {
      ...store,
      async get(sessionId) {
        reads += 1;
        if (reads === 3) rows.set(SESSION_ID, JSON.stringify(validationBody()));
        return store.get(sessionId);
      },
    };
    expect((await connect({ resultStore }).validateOnce(SESSION_ID)).status).toBe('verified');
  });

  it('is given up on after two seconds, because the response may have been lost', async () => {
    vi.useFakeTimers();
    try {
      const { connect } = aServiceThat(used);
      const isRejected = rejectionOf(
        connect({ resultStore: aTable().store }).validateOnce(SESSION_ID),
      );
      await vi.advanceTimersByTimeAsync(2000);
      expect((await isRejected).code).toBe('session_already_used');
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not lose a result that it failed to save', async () => {
    const { rows, store } = aTable();
    const { fetch, connect } = aServiceThat(verified);
    const cause = new Error('disk full');
    const set = vi.fn(store.set).mockRejectedValueOnce(cause);
    const client = connect({ resultStore: { ...store, set } });
    const error = await rejectionOf(client.validateOnce(SESSION_ID));
    expect(error).toMatchObject({ code: 'result_store_failed', retryable: true, cause });
    expect((await client.validateOnce(SESSION_ID)).status).toBe('verified');
    expect(rows.size).toBe(1);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it('that cannot be read keeps the session unused', async () => {
    const { fetch, connect } = aServiceThat(verified);
    const get = () => {
      throw new Error('no connection');
    };
    const error = await rejectionOf(
      connect({ resultStore: { ...aTable().store, get } }).validateOnce(SESSION_ID),
    );
    expect(error).toMatchObject({ code: 'result_store_failed', cause: new Error('no connection') });
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([
    ['text', JSON.stringify(validationBody()), 'must be an object, got a string'],
    [
      'the result of another session',
      validationBody({ sessionId: crypto.randomUUID() }),
      'another session',
    ],
    ['a pending result', validationBody(PENDING), 'pending'],
    [
      'a result that contradicts itself',
      validationBody({ accessGranted: false }),
      'contradicts itself',
    ],
  ])('must not return %s', async (_, stored, says) => {
    const { fetch, connect } = aServiceThat(verified);
    const resultStore = {
      ...aTable().store,
      get: async () => stored as unknown as ValidationResult,
    };
    const error = await rejectionOf(connect({ resultStore }).validateOnce(SESSION_ID));
    expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringContaining(says) });
    expect(fetch).not.toHaveBeenCalled();
  });
});
