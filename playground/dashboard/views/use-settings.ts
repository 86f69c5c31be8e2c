import type { TenantInput } from 'ofage/mock';
import type { Bound } from '../../shared/kit/field.tsx';
import type { Draft } from '../draft.ts';
import type { Desk } from './desk.ts';
import { type Submission, useSubmission } from './form.tsx';
import { useDraft } from './use-draft.ts';

/** Saves a change of the account, and announces `done`. */
export type Save = (change: TenantInput, done: string) => void;

/** A part of the account's settings while it is edited. */
export interface SettingsForm<T extends object> {
  readonly draft: Draft<T>;
  readonly submission: Submission;
  readonly save: Save;
  /** Binds a field to a value of the draft and to the service's complaint about it. */
  field<K extends keyof T & string>(name: K): Bound<T[K]>;
}

/**
 * Edits values of the account.
 *
 * @param prefix The path of the values in the service's complaints, for example `policy.`
 * @param saved The values as the service has them
 */
export function useSettings<T extends object>(
  desk: Desk,
  prefix: string,
  saved: T,
): SettingsForm<T> {
  const draft = useDraft(saved);
  const submission = useSubmission(Object.keys(saved).map((name) => prefix + name));
  return {
    draft,
    submission,
    save: toSave(desk, draft, submission),
    field: (name) => draft.field(name, submission.problems.value.of(prefix + name)),
  };
}

export function toSave(
  { provider, tenant }: Desk,
  draft: Draft<object>,
  submission: Submission,
): Save {
  return (change, done) => {
    const accept = draft.send();
    void submission
      .run(() => provider.client.updateTenant(tenant.id, change), done)
      .then((isSaved) => isSaved && accept());
  };
}
