import { describe, expect, it } from 'vitest';
import {
  createSeededRandom,
  systemRandom,
  toHex,
  toToken,
  toUuid,
} from '../../../mock-server/store/random.ts';

describe('createSeededRandom()', () => {
  it('returns the same sequence for the same seed', () => {
    const [one, two] = [createSeededRandom(7), createSeededRandom(7)];
    const run = (random: typeof one): string[] => [
      toUuid(random),
      toToken('sk_', random),
      toHex(random.bytes(5)),
    ];
    expect(run(one)).toEqual(run(two));
  });

  it('returns a different sequence for a different seed', () => {
    const seeds = [0, 1, 2, 42, 2 ** 32 - 1];
    const runs = seeds.map((seed) => toHex(createSeededRandom(seed).bytes(16)));
    expect(new Set(runs).size).toBe(seeds.length);
  });
});

describe('toUuid()', () => {
  it('returns a version 4 UUID (RFC 9562)', () => {
    for (const random of [systemRandom, createSeededRandom(3)]) {
      for (let n = 0; n < 100; n += 1) {
        expect(toUuid(random)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }
    }
  });
});

describe('toToken()', () => {
  it('returns the prefix and 192 random bits in hex', () => {
    expect(toToken('pk_', systemRandom)).toMatch(/^pk_[0-9a-f]{48}$/);
  });
});
