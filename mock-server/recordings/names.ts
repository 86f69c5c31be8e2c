import type { Created } from '../core/tables.ts';
import { SECRET } from '../control/without-secrets.ts';

/** Names such as `$session1` and `$key2` that replace ids in a recording. */
export interface Names {
  /** Assigns the next name of its kind to an id. */
  add(created: Created): string;
  of(id: string): string | undefined;
  /** Copies a JSON value with ids replaced by names. */
  replaceIn(value: unknown): unknown;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export function createNames(): Names {
  const names = new Map<string, string>();
  const counts = new Map<Created['kind'], number>();
  return {
    add({ kind, id }) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      const name = `$${kind}${count}`;
      names.set(id, name);
      return name;
    },
    of: (id) => names.get(id),
    // An account id can be any text, so ids inside a longer text are only replaced if they are UUIDs.
    replaceIn: (value) =>
      mapTexts(
        value,
        (text) => names.get(text) ?? text.replaceAll(UUID, (id) => names.get(id) ?? id),
      ),
  };
}

/** Maps the names in a recording to the ids of a replay. */
export interface Bindings {
  bind(name: string, id: string): void;
  idOf(name: string): string | undefined;
  /** Returns the names in a JSON value that are not bound to an id. */
  findUnbound(value: unknown): string[];
  /** Copies a JSON value with names replaced by ids. */
  replaceIn(value: unknown): unknown;
}

const NAME = /\$(?:account|pair|key|session|endpoint|fault)\d+/g;

/** @param makeSecret Creates a secret in place of a placeholder. */
export function createBindings(makeSecret: () => string): Bindings {
  const ids = new Map<string, string>();
  return {
    bind: (name, id) => void ids.set(name, id),
    idOf: (name) => ids.get(name),
    findUnbound(value) {
      const found = JSON.stringify(value ?? null).match(NAME) ?? [];
      return found.filter((name) => !ids.has(name));
    },
    replaceIn: (value) =>
      mapTexts(value, (text) =>
        text === SECRET ? makeSecret() : text.replaceAll(NAME, (name) => ids.get(name) ?? name),
      ),
  };
}

/** Copies a JSON value and replaces its strings. Property names are kept. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, mapTexts(part, map)]),
  );
}
