import type { TenantInput } from 'ofage/mock';
import type { Draft } from '../draft.ts';
import type { AppContext } from './app-context.ts';
import type { Submission } from './form.tsx';
import { type FormState, useForm } from './use-form.ts';

/** Saves a change to the account and announces `done`. */
export type Save = (change: TenantInput, done: string) => void;

export interface SettingsForm<T extends object> extends FormState<T> {
  readonly save: Save;
}

/** Edits values of the account, in the same way as `useForm`. */
export function useSettings<T extends object>(
  context: AppContext,
  prefix: string,
  saved: T,
): SettingsForm<T> {
  const form = useForm(saved, prefix);
  return { ...form, save: toSave(context, form.draft, form.submission) };
}

export function toSave(
  { provider, tenant }: AppContext,
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
