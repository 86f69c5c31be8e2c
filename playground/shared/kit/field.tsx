import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useId } from 'preact/hooks';

/** The service's error about each named field of the form around it. */
export const FieldErrors = createContext<(...names: string[]) => string | undefined>(
  () => undefined,
);

/** The error given to a field, or else the one that its form has for its name. */
export function useFieldError(field: {
  name?: string | undefined;
  error?: string | undefined;
}): string | undefined {
  const errorOf = useContext(FieldErrors);
  return field.error ?? (field.name === undefined ? undefined : errorOf(field.name));
}

/**
 * The value of a field. It is bound, or given together with a change handler, or has a name in a form. With
 * a name the browser keeps what was typed, and shows a new `value` only in a field that nobody has changed.
 */
export type Valued<T> =
  | { bind: { value: T }; name?: never; value?: never; onValue?: never }
  | { bind?: never; name?: never; value: T; onValue: (value: T) => void }
  | { bind?: never; name: string; value?: T; onValue?: (value: T) => void };

export interface FieldProps {
  label: string;
  /**
   * Hides the label visually, for a control whose purpose is clear from its position. Screen readers still
   * announce it.
   */
  hideLabel?: boolean | undefined;
  hint?: string | undefined;
  /** The validation error for the value. Screen readers announce it when it appears. */
  error?: string | undefined;
  class?: string | undefined;
}

/** The attributes that connect a control to its label, hint and error. */
export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** Returns the value to show, which is undefined in an empty form, and the function that changes it. */
export function toValue<T>(
  valued: Valued<T>,
): readonly [value: T | undefined, change: (value: T) => void] {
  const { bind } = valued;
  if (!bind) return [valued.value, valued.onValue ?? (() => undefined)];
  return [bind.value, (value) => (bind.value = value)];
}

/** A labelled field for a control that is not a text field, select or checkbox. */
export function Field(
  props: FieldProps & {
    /** The name of its control in a form. */
    name?: string | undefined;
    children: (ids: FieldIds) => ComponentChildren;
  },
): JSX.Element {
  const { label, hideLabel, hint, class: extra, children } = props;
  const error = useFieldError(props);
  const id = useId();
  const ids = toFieldIds(id, hint, error);
  return (
    <div class={extra ? `field ${extra}` : 'field'}>
      <label class={hideLabel ? 'visually-hidden' : 'field__label'} for={id}>
        {label}
      </label>
      {children(ids)}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}

/** What a field passes on to its frame. */
export const toFieldProps = (props: FieldProps & { name?: string }) => {
  const { label, hideLabel, hint, error, class: frame, name } = props;
  return { label, hideLabel, hint, error, class: frame, name };
};

export function toFieldIds(id: string, hint?: string, error?: string): FieldIds {
  return {
    id,
    ...((error || hint) && { 'aria-describedby': `${id}-${error ? 'error' : 'hint'}` }),
    ...(error && { 'aria-invalid': true }),
  };
}

/** Shows the error of a field, or else the hint, since the error says what to do. */
export function FieldNotes(props: {
  id: string;
  hint?: string | undefined;
  error?: string | undefined;
}): JSX.Element | null {
  const { id, hint, error } = props;
  if (error || !hint) return <FieldError id={`${id}-error`} error={error} />;
  return (
    <span class="field__hint" id={`${id}-hint`}>
      {hint}
    </span>
  );
}

/** The validation error of a control, or of a group of controls. */
export function FieldError(props: { id?: string; error: string | undefined }): JSX.Element | null {
  if (!props.error) return null;
  return (
    <span class="field__error" id={props.id} role="alert">
      {props.error}
    </span>
  );
}
