import type { ComponentChildren, JSX } from 'preact';

/**
 * A table that scrolls sideways in its own frame, by keyboard too. `children` are its rows. With `stacks`,
 * each row is a block of lines on a phone, where `data-label` of a cell names its line.
 */
export function Table(props: {
  label: string;
  /** The heading of each column. */
  head: readonly string[];
  children: ComponentChildren;
  stacks?: boolean;
  /** The first of the columns with numbers, whose cells have the class `cell-number`. */
  numbersFrom?: number;
  testId?: string;
}): JSX.Element {
  const { label, head, children, stacks = false, numbersFrom = Infinity, testId } = props;
  return (
    <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table class={stacks ? 'table table--stacks' : 'table'} data-testid={testId}>
        <thead>
          <tr>
            {head.map((name, at) => (
              <th key={name} scope="col" class={at >= numbersFrom ? 'cell-number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
