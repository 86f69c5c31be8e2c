/** Returns the query of an address, without the values that are empty or undefined. */
export function toQuery(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== '' && value !== undefined);
  return String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
}
