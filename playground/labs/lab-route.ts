export const LABS = [
  {
    id: 'webhook',
    name: 'Webhook lab',
    what: 'A receiver that fails as you tell it to, the service that copes with it, and a signature that explains itself.',
  },
  {
    id: 'popup',
    name: 'Popup lab',
    what: 'Windows that are blocked, cut off, orphaned or closed: what the SDK says, beside what really happened.',
  },
  {
    id: 'attack',
    name: 'Attack lab',
    what: 'Real attacks over real HTTP, against the demo shop and against one that makes the usual mistakes.',
  },
] as const;

export type LabId = (typeof LABS)[number]['id'];

/** Parses a fragment such as `#popup`. An unknown one selects the first lab. */
export function parseLab(hash: string): LabId {
  const name = hash.replace(/^#\/?/, '').split(/[/?]/, 1)[0];
  return LABS.find(({ id }) => id === name)?.id ?? LABS[0].id;
}
