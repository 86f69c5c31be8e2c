import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { toValue, type Valued } from './field.tsx';

export type ChoiceFieldProps<T extends string> = Valued<T> & {
  /** The name of the group for screen readers. It is not visible. */
  label: string;
  options: readonly { readonly value: T; readonly text: string }[];
  /** The prefix of each option's test id, which is followed by a dash and the option's value. */
  testId: string;
};

/** A single choice whose options are all visible. */
export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>): JSX.Element {
  const { label, options, testId } = props;
  const [value, change] = toValue<T>(props);
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="shows-focus">
          <input
            type="radio"
            name={name}
            value={option.value}
            data-testid={`${testId}-${option.value}`}
            checked={value === option.value}
            onChange={() => change(option.value)}
          />
          <span>{option.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
