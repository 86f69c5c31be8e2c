const PLAIN = 'AaCcDdEeGgIiLlNnOoRrSsTtUuYy';
const ACCENTED = 'ÅáÇçÐđÉéĜğÍíĻłÑñÖõŘŕŠšŢţÛůÝý';

/**
 * Returns English as pseudo-localised text: accented, a third longer, in brackets. `{placeholders}` stay.
 */
export function toPseudo(message: string): string {
  const accented = message.replace(
    /\{\w+\}|[A-Za-z]/g,
    (part) => ACCENTED[PLAIN.indexOf(part)] ?? part,
  );
  // Adds about a third to the length, like a translation into a language with longer words.
  return `⟦${accented}${' ·'.repeat(Math.ceil(message.length / 6))}⟧`;
}
