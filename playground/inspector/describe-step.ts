import type { RecordedStep } from 'ofage/mock';

/** Describes a step in one line, for example `api.validate by $key2 of $session1 → 200`. */
export function describeStep(step: RecordedStep): string {
  const { operation, by, device, args = [], body, status, creates = [] } = step;
  const { sessionId }: { sessionId?: unknown } = Object(body);
  const made = creates.filter((name) => !/^\$(pair|key)/.test(name));
  return [
    operation,
    ...args.map(toWords),
    ...(by === undefined ? [] : [`by ${by}`]),
    ...(device === 'second' ? ['on the second device'] : []),
    ...(typeof sessionId === 'string' ? [`of ${sessionId}`] : []),
    ...(status === undefined ? [] : [`→ ${status}`]),
    ...(made.length === 0 ? [] : [`creates ${made.join(', ')}`]),
  ].join(' ');
}

function toWords(argument: unknown): string {
  return typeof argument === 'string' ? argument : JSON.stringify(argument);
}
