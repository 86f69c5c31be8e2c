export const LABS = [
  {
    id: 'webhook',
    name: 'Webhook lab',
    what: 'Break a receiver on purpose and watch the retries.',
  },
  {
    id: 'popup',
    name: 'Popup lab',
    what: 'Block, cut off or close the window of a check, and see what the SDK reports.',
  },
  {
    id: 'attack',
    name: 'Attack lab',
    what: 'Attack the demo shop and a careless shop over HTTP, and see which one stops the attacks.',
  },
] as const;

export type LabId = (typeof LABS)[number]['id'];

/** Parses a fragment such as `#popup`. An unknown one selects the first lab. */
export function parseLab(hash: string): LabId {
  const name = hash.replace(/^#\/?/, '').split(/[/?]/, 1)[0];
  return LABS.find(({ id }) => id === name)?.id ?? LABS[0].id;
}
