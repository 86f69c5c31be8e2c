import * as fc from 'fast-check';

const toChar = (n: number): string => String.fromCodePoint(n < 0xd800 ? n : n + 0x800);

/** Any characters except halves of surrogate pairs. The unit `binary` of fast-check takes seconds to start. */
const anyChar = fc.oneof(fc.nat(0x7f), fc.nat(0x10f7ff)).map(toChar);

/** Any text of Unicode. */
export const anyText = (minLength = 0): fc.Arbitrary<string> =>
  fc.string({ unit: anyChar, minLength });
