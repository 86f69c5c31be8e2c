import type { JSX } from 'preact';
import { Field, type FieldProps, toFieldProps, toValue, type Valued } from './field.tsx';

export type TextFieldProps = FieldProps &
  Valued<string> & {
    type?: 'text' | 'email' | 'search';
    inputMode?: 'url';
    placeholder?: string;
    disabled?: boolean;
    /** Marks the value as invalid when the error is shown elsewhere. */
    invalid?: boolean;
    /**
     * Requests the numeric keyboard and the style of a short number, for a whole number of a few digits.
     */
    numeric?: boolean;
    /** Turns off completion, capitalisation and spell checking, for an address, an id or a secret. */
    verbatim?: boolean;
    /** Shows the value in a monospaced font. */
    mono?: boolean;
    testId?: string;
  };

export function TextField(props: TextFieldProps): JSX.Element {
  const { type, inputMode, placeholder, disabled, invalid, numeric, verbatim, mono, testId } =
    props;
  const [value, change] = toValue(props);
  return (
    <Field {...toFieldProps(props)}>
      {(ids) => (
        <input
          aria-invalid={invalid || undefined}
          {...ids}
          class={['input', numeric && 'input--numeric', mono && 'mono'].filter(Boolean).join(' ')}
          // Preact types each kind of input by its allowed roles. This input has no role.
          type={type as 'text'}
          inputMode={numeric ? 'numeric' : inputMode}
          placeholder={placeholder}
          disabled={disabled}
          {...(verbatim && { autocomplete: 'off', autocapitalize: 'none', spellcheck: false })}
          data-testid={testId}
          {...(props.name === undefined ? { value } : { name: props.name, defaultValue: value })}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
    </Field>
  );
}
