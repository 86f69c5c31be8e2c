/** Seeded random numbers: 32-bit xorshift. A mixer makes neighbouring seeds differ. */
export interface Dice {
  /** Returns an integer from 0 to n - 1. */
  below(n: number): number;
  /** Returns an integer from a to b, both inclusive. */
  between(a: number, b: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function createDice(seed: number): Dice {
  let state = Math.imul(seed + 1, 0x9e3779b1) ^ 0x5bd1e995 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let warm = 0; warm < 8; warm += 1) next();
  return {
    below: (n) => Math.floor(next() * n),
    between: (a, b) => a + Math.floor(next() * (b - a + 1)),
    chance: (share) => next() < share,
    pick: (from) => from[Math.floor(next() * from.length)]!,
  };
}
