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
  // As long as the translation into a wordy language.
  return `⟦${accented}${' ·'.repeat(Math.ceil(message.length / 6))}⟧`;
}
