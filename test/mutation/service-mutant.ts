import type { Mutant } from './mutant.ts';

/** A violation of one rule of the interface specification. Files are below mock-server/. */
export interface ServiceMutant extends Mutant {
  /** A second change, for a rule that the service checks in two places. */
  readonly and?: Pick<Mutant, 'file' | 'find' | 'replace'>;
  /** `server` for a rule that only a service with real sockets follows. @default "in process" */
  readonly host?: 'server';
}

export function editsOf({ and, ...mutant }: ServiceMutant): Mutant[] {
  return and ? [mutant, { ...and, name: mutant.name }] : [mutant];
}
