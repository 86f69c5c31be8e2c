import { signal } from '@preact/signals';
import type { Bound } from '../shared/kit/field.tsx';

/** What is being edited: begins with what is saved, and follows it while nothing else is typed. */
export interface Draft<T extends object> {
  value: T;
  /** Binds a field to one value of the draft, and shows `error` at it. */
  field<K extends keyof T>(name: K, error?: string): Bound<T[K]>;
  /** Tells what is saved now. */
  follow(saved: T): void;
  /** Call as it goes to the service, and what that returns when the service has taken it. */
  send(): () => void;
}

export function createDraft<T extends object>(first: T): Draft<T> {
  const draft = signal(first);
  let saved = first;
  /** A draft that reads like this has nothing of its own; null for none. */
  let clean: string | null = toText(first);
  return {
    get value() {
      return draft.value;
    },
    set value(value) {
      draft.value = value;
    },
    field: (name, error) => ({
      error,
      get value() {
        return draft.value[name];
      },
      set value(value) {
        draft.value = { ...draft.value, [name]: value };
      },
    }),
    follow(now) {
      if (toText(now) === toText(saved)) return;
      if (toText(draft.value) === clean) draft.value = now;
      saved = now;
      clean = toText(now);
    },
    send() {
      const sent = toText(draft.value);
      const before = saved;
      clean = null;
      return () => {
        if (saved === before) clean = sent;
        // The news of it came before the answer, and may say it in other words.
        else if (toText(draft.value) === sent) draft.value = saved;
      };
    },
  };
}

const toText = (value: object): string => JSON.stringify(value);
