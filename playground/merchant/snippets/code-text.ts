/** Formats fields as an object literal, on one line if it is short. */
export function objectCode(entries: readonly (readonly [string, unknown])[]): string {
  const pairs = entries.map(([name, value]) => `${name}: ${quote(value)}`);
  const line = `{ ${pairs.join(', ')} }`;
  return line.length <= 60 ? line : `{\n${pairs.map((pair) => `  ${pair},\n`).join('')}}`;
}

/** Formats a value as a literal. Escapes `</script`, which would end the script that contains the code. */
export function quote(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const inner = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('</', '<\\/')
    .replaceAll('<!--', '<\\!--')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${inner}'`;
}

export const indent = (code: string, levels: number): string =>
  code.replaceAll(/^(?=.)/gm, '  '.repeat(levels));
