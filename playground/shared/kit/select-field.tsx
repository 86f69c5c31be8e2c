import type { JSX } from 'preact';
import { Field, type FieldProps, toFieldProps, toValue, type Valued } from './field.tsx';

/** An option of a select. A plain string is both the value and the text. */
export type SelectOption<T extends string> =
  | T
  | {
      readonly value: T;
      readonly text: string;
      readonly lang?: string;
      /** False for a name that is the same in every language. */
      readonly translate?: boolean;
    };

export type SelectFieldProps<T extends string> = FieldProps &
  Valued<T> & {
    options: readonly SelectOption<T>[];
    disabled?: boolean;
    testId?: string;
  };

export function SelectField<T extends string>(props: SelectFieldProps<T>): JSX.Element {
  const { options, disabled, testId } = props;
  const [value, change] = toValue<T>(props);
  const choices = options.map((one) => (typeof one === 'string' ? { value: one, text: one } : one));
  return (
    <Field {...toFieldProps(props)}>
      {(ids) => (
        <select
          {...ids}
          class="input"
          disabled={disabled}
          data-testid={testId}
          {...(props.name === undefined ? { value } : { name: props.name })}
          onChange={({ currentTarget }) => {
            const chosen = choices[currentTarget.selectedIndex];
            if (chosen) change(chosen.value);
          }}
        >
          {choices.map(({ text, ...option }) => (
            <option
              key={option.value}
              {...option}
              {...(props.name !== undefined && { defaultSelected: option.value === value })}
            >
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
