import { createCustomer, type Customer, type CustomerOptions } from './customer.ts';

/** One combination of the package and a customer's tools. */
export interface Cell {
  readonly name: string;
  /** The mistake that would stay unnoticed without this cell. */
  readonly why: string;
  /** Returns the reason why the cell cannot run on this machine, or `undefined`. */
  readonly skip?: () => string | undefined;
  /** Resolves if the package works, and rejects with the output of the tool otherwise. */
  readonly run: () => Promise<void>;
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
