import type { Bound } from '../../shared/kit/field.tsx';
import type { Draft } from '../draft.ts';
import { type Submission, useSubmission } from './form.tsx';
import { useDraft } from './use-draft.ts';

/** The values of a form while it is edited and sent. */
export interface FormState<T extends object> {
  readonly draft: Draft<T>;
  readonly submission: Submission;
  /** Binds a field to a value of the draft and to the service's error message about it. */
  field<K extends keyof T & string>(name: K): Bound<T[K]>;
}

/**
 * Edits values under the same names as in the service's API.
 *
 * @param saved The initial values, or the values saved in the service
 * @param prefix The path of the values in the service's error messages, for example `policy.`
 */
export function useForm<T extends object>(saved: T, prefix = ''): FormState<T> {
  const draft = useDraft(saved);
  const submission = useSubmission(Object.keys(saved).map((name) => prefix + name));
  return {
    draft,
    submission,
    field: (name) => draft.field(name, submission.problems.value.of(prefix + name)),
  };
}
