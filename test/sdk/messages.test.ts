import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MESSAGE_TYPE } from '../../src/brand.ts';
import { readCases } from '../support/case-files.ts';
import {
  begin,
  CREATED,
  newOfAge,
  SESSION_ID,
  useWorld,
  VERIFY_ORIGIN,
  watch,
  world,
} from './world.ts';

useWorld();

/** A message, and whether the attempt takes it as its result. */
interface Case {
  readonly why: string;
  readonly data: unknown;
  readonly expect: 'accept' | 'ignore';
  readonly origin?: string;
  /** False for another window, and null for none. */
  readonly sourceIsPopup?: boolean | null;
}

/** The rows of test/cases/messages.jsonl, with the type of the message in place of `<TYPE>`. */
const ROWS = readCases<Case>('messages').map(
  (row) => JSON.parse(JSON.stringify(row).replaceAll('<TYPE>', MESSAGE_TYPE)) as Case,
);

const VALID = { type: MESSAGE_TYPE, sessionId: SESSION_ID, status: 'verified' };
const fail = (): never => {
  throw new Error('trap');
};

/** Values that a file of JSON cannot hold. */
const VALUES: readonly [why: string, data: unknown, expect: Case['expect']][] = [
  ['the message is undefined', undefined, 'ignore'],
  ['the message is a BigInt', 1n, 'ignore'],
  ['the message is a Map with the right entries', new Map(Object.entries(VALID)), 'ignore'],
  ['the message is a typed array', new Uint8Array(16), 'ignore'],
  ['the message throws', new Proxy({}, { get: fail, has: fail, ownKeys: fail }), 'ignore'],
  ['the message is a string of 5 MB', 'A'.repeat(5_000_000), 'ignore'],
  // oxlint-disable-next-line no-new-wrappers, unicorn/new-for-builtins -- the row is about the wrapper
  ['the type is an object', { ...VALID, type: new String(MESSAGE_TYPE) }, 'ignore'],
  ['the type is in capitals', { ...VALID, type: MESSAGE_TYPE.toUpperCase() }, 'ignore'],
  ['an unknown field has 2 MB', { ...VALID, extra: 'A'.repeat(2_000_000) }, 'accept'],
  ['the timestamp is NaN', { ...VALID, timestamp: NaN }, 'accept'],
  ['the timestamp is Infinity', { ...VALID, timestamp: Infinity }, 'accept'],
];

const CASES = [...ROWS, ...VALUES.map(([why, data, expect]): Case => ({ why, data, expect }))];

describe('verify() accepts or ignores a message as expected:', () => {
  it.each(CASES.map((row, n) => [`${n}, ${row.why}`, row] as const))('%s', async (_, row) => {
    const { data, origin = VERIFY_ORIGIN, sourceIsPopup = true } = row;
    const seen = await begin({}, { externalUserId: 'user-42' });
    const foreign = sourceIsPopup === null ? null : {};
    const source = sourceIsPopup ? world.popup() : foreign;
    world.emit('message', { isTrusted: true, origin, source, data });
    await world.elapse(0);
    expect(world.assign).not.toHaveBeenCalled(); // a message never causes a navigation
    if (row.expect === 'ignore') return expect(seen.state).toBe('pending');
    const { status } = data as typeof VALID;
    expect(seen.value).toMatchObject({ sessionId: SESSION_ID, externalUserId: 'user-42', status });
    const { timestamp = 1 } = seen.value as { timestamp?: number };
    expect(Number.isSafeInteger(timestamp) && timestamp > 0).toBe(true);
  });
});

describe('verify(), depending on the sender of a message,', () => {
  it('ignores one from a script of this page (isTrusted false)', async () => {
    const seen = await begin();
    world.message({ status: 'verified' }, { isTrusted: false });
    await world.elapse(0);
    expect(seen.state).toBe('pending');
  });

  it('ignores one that arrives before the session', async () => {
    world.hang();
    const seen = await begin();
    world.message({ status: 'verified' });
    await world.elapse(0);
    expect(seen.state).toBe('pending');
  });

  it('requires the right origin and session of a message with a null source after the window closed', async () => {
    const seen = await begin();
    world.popup().closed = true;
    world.message({ status: 'verified' }, { source: null, origin: 'https://evil.example' });
    world.message({ status: 'verified', sessionId: 'another' }, { source: null });
    await world.elapse(0);
    expect(seen.state).toBe('pending');
    world.message({ status: 'verified' }, { source: null });
    await world.elapse(0);
    expect(seen.state).toBe('resolved');
  });

  it('accepts messages only from the origin of verifyUrl', async () => {
    world.answer({ body: { ...CREATED, verifyUrl: 'http://127.0.0.1:4010/verify/?s=1' } });
    const seen = await begin();
    world.message({ status: 'verified' });
    await world.elapse(0);
    expect(seen.state).toBe('pending');
    world.message({ status: 'verified' }, { origin: 'http://127.0.0.1:4010' });
    await world.elapse(0);
    expect(seen.state).toBe('resolved');
  });
});

describe('random messages (property)', () => {
  it('cause no exception, and only those with the right type, session and status are accepted', async () => {
    const fields = fc.record(
      {
        type: fc.oneof(fc.constant(MESSAGE_TYPE), fc.anything()),
        sessionId: fc.oneof(fc.constant(SESSION_ID), fc.anything()),
        status: fc.oneof(fc.constantFrom('verified', 'failed', 'cancelled'), fc.anything()),
        timestamp: fc.oneof(fc.nat(), fc.anything()),
      },
      { requiredKeys: [] },
    );
    const anything = fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true });
    let user = 0;
    let accepted = 0;
    let seen: ReturnType<typeof watch> = { state: 'none' };
    await fc.assert(
      fc.asyncProperty(fc.oneof(fields, anything), async (data) => {
        if (seen.state !== 'pending') {
          user += 1;
          seen = watch(newOfAge().verify({ externalUserId: `user-${user}` }));
          await world.elapse(0);
        }
        world.emit('message', {
          isTrusted: true,
          origin: VERIFY_ORIGIN,
          source: world.popup(),
          data,
        });
        await world.elapse(0);
        const given = Object(data) as Record<string, unknown>;
        const good =
          given.type === MESSAGE_TYPE &&
          given.sessionId === SESSION_ID &&
          ['verified', 'failed', 'cancelled'].includes(given.status as string);
        expect(seen.state).toBe(good ? 'resolved' : 'pending');
        if (!good) return;
        accepted += 1;
        const { timestamp } = seen.value as { timestamp?: unknown };
        if (timestamp !== undefined) expect(timestamp).toBe(given.timestamp);
      }),
      { numRuns: 2000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});
