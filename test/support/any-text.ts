import * as fc from 'fast-check';

// The unit `binary` of fast-check and its `webUrl()` take seconds to build a table of Unicode.

const toChar = (n: number): string => String.fromCodePoint(n < 0xd800 ? n : n + 0x800);

/** Any characters except halves of surrogate pairs. */
const anyChar = fc.oneof(fc.nat(0x7f), fc.nat(0x10f7ff)).map(toChar);

/** Any text of Unicode. */
export const anyText = (minLength = 0): fc.Arbitrary<string> =>
  fc.string({ unit: anyChar, minLength });

/** Any text that may stand in the path, the query or the fragment of a URL. */
const anyPart = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...`aZ09-._~!$&'()*+,;=:@/?`),
    anyChar.map((char) => encodeURIComponent(char)),
  ),
});

/** Any web URL, possibly with a query and a fragment. */
export const anyWebUrl = (): fc.Arbitrary<string> =>
  fc
    .record({
      scheme: fc.constantFrom('http', 'https'),
      host: fc.webAuthority({ withPort: true }),
      path: fc.option(anyPart),
      query: fc.option(anyPart),
      fragment: fc.option(anyPart),
    })
    .map(
      ({ scheme, host, path, query, fragment }) =>
        `${scheme}://${host}` +
        (path === null ? '' : `/${path.replaceAll('?', '')}`) +
        (query === null ? '' : `?${query}`) +
        (fragment === null ? '' : `#${fragment}`),
    );
