/** Something of the service's that is shown and kept up to date. A signal is read as it is. */
export interface Loadable<T> {
  /** Null until it was read for the first time. */
  readonly data: { readonly value: T | null };
  /** Why the last read failed; empty when it did not. */
  readonly trouble: { readonly value: string };
}

/** Shows another form of what was read. */
export function derive<From, To>(
  { data, trouble }: Loadable<From>,
  to: (value: From) => To,
): Loadable<To> {
  return {
    data: {
      get value() {
        return data.value === null ? null : to(data.value);
      },
    },
    trouble,
  };
}

/** Shows several as one, which is there once all are. */
export function combine<T extends object>(parts: {
  readonly [K in keyof T]: Loadable<T[K]>;
}): Loadable<T> {
  const entries = Object.entries<Loadable<unknown>>(parts);
  return {
    data: {
      get value() {
        const values = entries.map(([name, { data }]) => [name, data.value] as const);
        if (values.some(([, value]) => value === null)) return null;
        return Object.fromEntries(values) as T;
      },
    },
    trouble: {
      get value() {
        return entries.map(([, { trouble }]) => trouble.value).find((text) => text !== '') ?? '';
      },
    },
  };
}

/** Shows the only item of a list, and `gone` once it was deleted. */
export function single<Item>(
  { data, trouble }: Loadable<readonly Item[]>,
  gone: string,
): Loadable<Item> {
  return {
    data: {
      get value() {
        return data.value?.[0] ?? null;
      },
    },
    trouble: {
      get value() {
        return data.value?.length === 0 ? gone : trouble.value;
      },
    },
  };
}
