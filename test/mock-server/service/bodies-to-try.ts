/** The parts of a JSON Schema that are needed to find its properties. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/**
 * Returns the example, an empty object, the test values that are not strings, and copies of the example in
 * which each schema property, one at a time, is missing or has each of the test values.
 */
export function bodiesToTry(schema: object, example: object): unknown[] {
  const changed = propertiesOf(schema).flatMap((path) =>
    [undefined, ...VALUES].map((value) => withValue(example, path, value)),
  );
  return [example, {}, ...changed, ...VALUES.filter((value) => typeof value !== 'string')];
}

/**
 * Returns the paths of all properties, with an unknown property on every level. `0` is the first item of an
 * array.
 */
function propertiesOf(schema: Schema): string[][] {
  const inside = (schema.anyOf ?? []).flatMap(propertiesOf);
  const items = schema.items
    ? [['0'], ...propertiesOf(schema.items).map((path) => ['0', ...path])]
    : [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
    [name],
    ...propertiesOf(part).map((path) => [name, ...path]),
  ]);
  return [...(schema.properties ? [['unknown']] : []), ...own, ...items, ...inside];
}

function withValue(body: object, path: readonly string[], value: unknown): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  let at = copy;
  for (const [depth, name] of path.slice(0, -1).entries()) {
    const known = at[name];
    if (typeof known !== 'object' || known === null) at[name] = path[depth + 1] === '0' ? [] : {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1) ?? ''] = value;
  return copy;
}

/** Values of every type and on both sides of every limit, and valid values of some properties. */
const VALUES: readonly unknown[] = [
  [null, true, false, [], {}, [null], [1], ['x'], [{}], { x: 1 }, { x: 'y' }],
  [-1, 0, 0.5, 1, 10, 11, 24, 25, 25.5, 99, 100, 600_000, 600_001, 1_000_000, 1_000_001, 1e300],
  ['', ' ', 'x', 'x'.repeat(100), 'x'.repeat(101), 'ü', '0', '401', 'L1', 'owner', 'active'],
  ['verified', 'never', 'session.timeout', 'good', 'webhook_processed', 'PLAN_LIMIT_REACHED'],
  ['create', 'webhook', 'malformed', 'hang', 'slow'],
  ['https://shop.example/', 'HTTP://localhost:3000/a?b#c', 'https://shop.example/?a=C:\\x'],
  ['http:localhost', 'https:/shop.example', ' https://shop.example/', 'https://a b/', 'https://'],
  ['https://shop.example/\n', 'https:\\\\shop.example', 'ftp://shop.example/', 'javascript:1'],
  ['shop.example', '*.shop.example', '*', '*.', '.shop.example', 'shop.example.', 'a/b', 'a:1'],
  ['2199-01-31', '2199-01-31T12:00Z', '2199-01-31T12:00:00.5+02:00', '2199-01-31T12:00:00'],
  ['2199-13-01', '2199-01-32', '2199-01-31T24:00:00Z', '2199-01-31T12:60:00Z', 'tomorrow'],
  [['verified'], ['session.started'], Array(21).fill('session.started'), ['shop.example']],
  [['https://shop.example'], [{ email: 'a@shop.example', role: 'owner' }]],
].flat();
