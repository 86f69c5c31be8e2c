/** Data of the service that is shown and kept up to date. `data` and `error` can be signals. */
export interface Loadable<T> {
  /** The data. Null until the first successful read. */
  readonly data: { readonly value: T | null };
  /** The error message of the last read. Empty if it succeeded. */
  readonly error: { readonly value: string };
}

/** Maps the data of a loadable with `to`. */
export function derive<From, To>(
  { data, error }: Loadable<From>,
  to: (value: From) => To,
): Loadable<To> {
  return {
    data: {
      get value() {
        return data.value === null ? null : to(data.value);
      },
    },
    error,
  };
}

/** Combines several loadables into one. Its data is null until every part has data. */
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
    error: {
      get value() {
        return entries.map(([, { error }]) => error.value).find((text) => text !== '') ?? '';
      },
    },
  };
}

/** Returns the only item of a list as a loadable. Its error is `gone` once the item was deleted. */
export function single<Item>(
  { data, error }: Loadable<readonly Item[]>,
  gone: string,
): Loadable<Item> {
  return {
    data: {
      get value() {
        return data.value?.[0] ?? null;
      },
    },
    error: {
      get value() {
        return data.value?.length === 0 ? gone : error.value;
      },
    },
  };
}
