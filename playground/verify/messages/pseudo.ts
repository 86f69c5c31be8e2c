const PLAIN = 'AaCcDdEeGgIiLlNnOoRrSsTtUuYy';
const ACCENTED = 'ÅáÇçÐđÉéĜğÍíĻłÑñÖõŘŕŠšŢţÛůÝý';

/** English as it looks while translated: accented, a third longer, in brackets. `{placeholders}` stay. */
export function toPseudo(message: string): string {
  const accented = message.replace(
    /\{\w+\}|[A-Za-z]/g,
    (part) => ACCENTED[PLAIN.indexOf(part)] ?? part,
  );
  // As long as a translation into a wordier language would be.
  return `⟦${accented}${' ·'.repeat(Math.ceil(message.length / 6))}⟧`;
}
