import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import {
  FieldNotes,
  type FieldProps,
  toFieldIds,
  toValue,
  useFieldError,
  type Valued,
} from './field.tsx';

export type CheckFieldProps = Pick<FieldProps, 'hint' | 'error' | 'class'> &
  Valued<boolean> & {
    label: ComponentChildren;
    disabled?: boolean;
    /**
     * Shows a switch instead of a checkbox, because the change takes effect at once. The switch moves only
     * when `value` changes.
     */
    immediate?: boolean;
    testId?: string;
  };

/** A checkbox with its label beside it. */
export function CheckField(props: CheckFieldProps): JSX.Element {
  const { label, hint, class: frame = 'check', disabled, immediate, testId } = props;
  const error = useFieldError(props);
  const [value, change] = toValue(props);
  const id = useId();
  return (
    <>
      <label class={frame}>
        <input
          {...toFieldIds(id, hint, error)}
          type="checkbox"
          {...(immediate && { role: 'switch' })}
          disabled={disabled}
          data-testid={testId}
          {...(props.name === undefined
            ? // A form around it that is reset does not change the value.
              { checked: value, defaultChecked: value }
            : { name: props.name, defaultChecked: value })}
          onChange={({ currentTarget }) => {
            const { checked } = currentTarget;
            if (immediate) currentTarget.checked = value ?? false;
            change(checked);
          }}
        />
        {label}
      </label>
      <FieldNotes id={id} hint={hint} error={error} />
    </>
  );
}
