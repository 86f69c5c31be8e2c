/** A row of the destination case file; which fields there are depends on the kind. */
export interface DestinationCase {
  id: string;
  kind: 'literal' | 'spelling' | 'invalid' | 'url' | 'dns' | 'rebind' | 'redirect';
  input: string;
  expect: 'allow' | 'reject';
  level: 'must' | 'should' | 'policy';
  why: string;
  host?: string;
  answers?: string[];
  phases?: { stage: string; answers: string[]; expect: 'allow' | 'reject' }[];
  hops?: { status: number; location: string; answers?: string[] }[];
  /** Where the refusal is only a failed delivery, since nothing says that the destination is private. */
  deliveryClass?: 'failure';
}
