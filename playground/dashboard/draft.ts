import { signal } from '@preact/signals';
import type { Bound } from '../shared/kit/field.tsx';

/** The values of a form that is being edited. They follow the saved values until the user changes one. */
export interface Draft<T extends object> {
  value: T;
  /** Binds a field to one value of the draft and shows `error` below it. */
  field<K extends keyof T>(name: K, error?: string): Bound<T[K]>;
  /** Updates the saved values. A draft without unsaved changes shows them too. */
  follow(saved: T): void;
  /** Marks the draft as being saved. Call the returned function once the service has accepted it. */
  send(): () => void;
}

export function createDraft<T extends object>(first: T): Draft<T> {
  const draft = signal(first);
  let saved = first;
  /**
   * The serialised draft that counts as unedited. Null from `send` until the save is accepted or the saved
   * values change.
   */
  let uneditedText: string | null = toText(first);
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
      if (toText(draft.value) === uneditedText) draft.value = now;
      saved = now;
      uneditedText = toText(now);
    },
    send() {
      const sent = toText(draft.value);
      const before = saved;
      uneditedText = null;
      return () => {
        if (saved === before) uneditedText = sent;
        // The live update arrived before the response, and the service may have normalised the values.
        else if (toText(draft.value) === sent) draft.value = saved;
      };
    },
  };
}

const toText = (value: object): string => JSON.stringify(value);
