import { createCustomer, type Customer, type CustomerOptions } from './customer.ts';

/** One combination of the package and a customer's tools. */
export interface Cell {
  readonly name: string;
  /** The reason why this cell exists. */
  readonly why: string;
  /** The project of `nightly/` that must be installed first. */
  readonly project?: string;
  /** Returns the reason why the cell cannot run on this machine, or `undefined`. */
  readonly skip?: () => string | undefined;
  /** True if `npm test` leaves the cell out, because other cells prove nearly the same. @default false */
  readonly isOnDemand?: boolean;
  /** Set if the tools do not work together, regardless of this package. */
  readonly limit?: Limit;
  /** Resolves if the package works, and rejects with the output of the tool otherwise. */
  readonly run: () => Promise<void>;
}

/** A limitation of other tools. */
export interface Limit {
  /** The reason, for the table. */
  readonly because: string;
  /** The output that shows the limitation. */
  readonly says: RegExp;
}

/**
 * Runs a cell. Returns the result for the table. Rejects if the package does not work, or if a limitation
 * no longer exists.
 */
export async function runCell({ limit, run }: Cell): Promise<string> {
  if (limit === undefined) {
    await run();
    return 'works';
  }
  const message = await run().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (message === undefined) throw new Error(`It works now, but the cell says: ${limit.because}`);
  if (!limit.says.test(message)) throw new Error(`Expected ${limit.says}, got:\n${message}`);
  return `does not work: ${limit.because}`;
}

/** Runs a check in a new customer's project, and removes the project afterwards. */
export async function withCustomer(
  options: CustomerOptions,
  check: (customer: Customer) => Promise<void>,
): Promise<void> {
  const customer = createCustomer(options);
  try {
    await check(customer);
  } finally {
    customer.remove();
  }
}
