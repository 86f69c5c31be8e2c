/** A row of the destination case file. Its fields depend on the kind. */
export interface DestinationCase {
  id: string;
  kind: 'literal' | 'spelling' | 'invalid' | 'url' | 'dns' | 'rebind' | 'redirect';
  input: string;
  expect: 'allow' | 'reject';
  why: string;
  host?: string;
  answers?: string[];
  phases?: { stage: string; answers: string[]; expect: 'allow' | 'reject' }[];
  hops?: { status: number; location: string; answers?: string[] }[];
  /** Set if the case is only a failed delivery, because nothing shows that the destination is private. */
  deliveryClass?: 'failure';
}
