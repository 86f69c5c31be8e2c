import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { toValue, type Valued } from './field.tsx';

export type ChoiceFieldProps<T extends string> = Valued<T> & {
  /** Read out before the options, and not shown. */
  label: string;
  options: readonly { readonly value: T; readonly text: string }[];
  class: string;
  /** The class of each option. */
  optionClass?: string;
  /** The test id of an option is this, a dash and its value. */
  testId: string;
};

/** A choice of one, with all options in sight. */
export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>): JSX.Element {
  const { label, options, class: frame, optionClass, testId } = props;
  const [value, change] = toValue<T>(props);
  const name = useId();
  return (
    <fieldset class={frame}>
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} class={optionClass}>
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
