import * as fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

interface Row {
  origin: unknown;
  sourceIsPopup: boolean | null;
  state: string;
  data: unknown;
  dataJson?: string;
  expect: 'accept' | 'ignore';
  why: string;
  judgement: boolean;
}

/** Converts placeholders into the values that JSON cannot hold. */
function revive(value: any): any {
  if (typeof value === 'string') return value.split('<TYPE>').join(MESSAGE_TYPE);
  if (Array.isArray(value)) return value.map(revive);
  if (value === null || typeof value !== 'object') return value;
  const v = value.v === undefined ? undefined : revive(value.v);
  switch (value.$t) {
    case undefined: {
      const copy: Record<string, unknown> = {};
      for (const key of Object.keys(value)) {
        Object.defineProperty(copy, revive(key), {
          value: revive(value[key]),
          enumerable: true,
          writable: true,
          configurable: true,
        });
      }
      return copy;
    }
    case 'undefined':
      return undefined;
    case 'NaN':
      return NaN;
    case 'Infinity':
      return Infinity;
    case 'upper':
      return v.toUpperCase();
    case 'replace':
      return v.replace(value.from, value.to);
    // oxlint-disable-next-line no-new-wrappers, unicorn/new-for-builtins -- the row is about the wrapper
    case 'StringObject':
      return new String(v);
    case 'BigInt':
      return BigInt(v);
    case 'Map':
      return new Map(v);
    case 'RegExp':
      return new RegExp(v);
    case 'Uint8Array':
      return new Uint8Array(value.v);
    case 'repeat':
      return v.repeat(value.n);
    case 'withBig':
      return { ...v, extra: 'A'.repeat(value.n) };
    case 'proxyThrow':
      return new Proxy(
        {},
        {
          get() {
            throw new Error('trap');
          },
          has() {
            throw new Error('trap');
          },
          ownKeys() {
            throw new Error('trap');
          },
        },
      );
    default:
      throw new Error(`unknown placeholder ${value.$t}`);
  }
}

describe('with the message cases, verify()', () => {
  const rows = readCases<Row>('messages');
  it.each(rows.map((row, index) => [index, row.why, row] as const))(
    'accepts or ignores row %i as expected: %s',
    async (_, why, row) => {
      const ofAge = newOfAge();
      if (row.state === 'failed') world.answer({ status: 500, body: {} });
      if (row.state === 'creating') world.hang();
      if (row.state === 'superseded') {
        world.answer(
          { body: { ...CREATED, sessionId: '77777777-1111-4222-8333-999999999999' } },
          { body: CREATED },
        );
      }
      let seen: ReturnType<typeof watch> = { state: 'pending' };
      if (row.state !== 'idle') {
        seen = watch(ofAge.verify({ externalUserId: 'user-42' }));
        await world.elapse(0);
      }
      if (row.state === 'superseded') {
        world.popup().closed = true;
        await world.elapse(10_000);
        seen = watch(ofAge.verify({ externalUserId: 'user-42' }));
        await world.elapse(0);
      }
      if (row.state === 'settled') world.message({ status: 'verified' });
      if (row.state === 'cancelled') {
        world.popup().commit();
        await world.elapse(3000);
        world.emit('focus');
        world.popup().closed = true;
        await world.elapse(2000);
      }
      await world.elapse(0);
      const before = JSON.stringify(seen);

      const data = row.dataJson ? revive(JSON.parse(row.dataJson)) : revive(row.data);
      const source = row.sourceIsPopup === null ? null : row.sourceIsPopup ? world.popup() : {};
      expect(() =>
        world.emit('message', { isTrusted: true, origin: revive(row.origin), source, data }),
      ).not.toThrow();
      await world.elapse(0);

      const verdict = JSON.stringify(seen) === before ? 'ignore' : 'accept';
      expect(verdict, why).toBe(row.expect);
      if (verdict !== 'accept') return;
      expect(seen.value).toMatchObject({
        sessionId: SESSION_ID,
        externalUserId: 'user-42',
        status: data.status,
      });
      const { timestamp } = seen.value as { timestamp?: number };
      expect(timestamp === undefined || (Number.isSafeInteger(timestamp) && timestamp > 0)).toBe(
        true,
      );
      expect(world.assign).not.toHaveBeenCalled(); // a message never causes a navigation
    },
  );
});

describe('verify(), depending on the sender of a message,', () => {
  it.each([
    ['ignores a message from a script of this page (isTrusted false)', { isTrusted: false }, false],
    ['ignores a message with a null source while the window is open', { source: null }, false],
    ['ignores a message from another window', { source: {} }, false],
    ['ignores a message from an opaque origin', { origin: 'null' }, false],
    ['accepts a message from the verification window', {}, true],
  ])('%s', async (_, event, isAccepted) => {
    const seen = await begin();
    world.message({ status: 'verified' }, event);
    await world.elapse(0);
    expect(seen.state).toBe(isAccepted ? 'resolved' : 'pending');
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
          seen = watch(newOfAge().verify({ externalUserId: `user-${(user += 1)}` }));
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
