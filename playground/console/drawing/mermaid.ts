import { formatPreciseTimeOfDay } from '../../../mock-server/words/times.ts';
import { LANES, type Message } from './messages.ts';

/** Writes the drawing as a Mermaid sequence diagram, for a report or an issue. */
export function toMermaid(messages: readonly Message[]): string {
  const lanes = Object.entries(LANES).map(([lane, name]) => `  participant ${lane} as ${name}`);
  return ['sequenceDiagram', ...lanes, ...messages.map(toLine)].join('\n');
}

function toLine({ atMs, from, to, text, isMissing }: Message): string {
  // A cross at the end of a dashed line is what has not arrived.
  const arrow = isMissing ? '--x' : '->>';
  const time = atMs === null ? '' : `${formatPreciseTimeOfDay(atMs)} `;
  return `  ${from}${arrow}${to}: ${time}${escape(text)}`;
}

/** In a message, `;` ends the line and `#` begins a code. Text from outside can contain both. */
function escape(text: string): string {
  return text
    .replaceAll(/[#;]/g, (character) => `#${character.charCodeAt(0)};`)
    .replaceAll(/[\r\n<>]+/g, ' ');
}
