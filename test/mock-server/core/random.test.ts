import { describe, expect, it } from 'vitest';
import {
  createSeededRandom,
  systemRandom,
  toHex,
  toToken,
  toUuid,
} from '../../../mock-server/core/random.ts';

describe('createSeededRandom()', () => {
  it('gives the same run for the same seed', () => {
    const [one, two] = [createSeededRandom(7), createSeededRandom(7)];
    const run = (random: typeof one): string[] => [
      toUuid(random),
      toToken('sk_', random),
      toHex(random.bytes(5)),
    ];
    expect(run(one)).toEqual(run(two));
  });

  it('gives another run for another seed', () => {
    const seeds = [0, 1, 2, 42, 2 ** 32 - 1];
    const runs = seeds.map((seed) => toHex(createSeededRandom(seed).bytes(16)));
    expect(new Set(runs).size).toBe(seeds.length);
  });

  it('uses every value of a byte about as often', () => {
    const counts = new Uint32Array(256);
    for (const byte of createSeededRandom(1).bytes(256_000)) counts[byte]! += 1;
    // 1,000 expected; 6 standard deviations are 190.
    expect(Math.min(...counts)).toBeGreaterThan(810);
    expect(Math.max(...counts)).toBeLessThan(1_190);
  });
});

describe('toUuid()', () => {
  it('says that it is random (version 4, RFC 9562)', () => {
    for (const random of [systemRandom, createSeededRandom(3)]) {
      for (let n = 0; n < 100; n += 1) {
        expect(toUuid(random)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }
    }
  });

  it('does not repeat itself', () => {
    const random = createSeededRandom(9);
    expect(new Set(Array.from({ length: 10_000 }, () => toUuid(random))).size).toBe(10_000);
  });
});

describe('toToken()', () => {
  it('is the prefix and 192 bits', () => {
    expect(toToken('pk_', systemRandom)).toMatch(/^pk_[0-9a-f]{48}$/);
  });
});
