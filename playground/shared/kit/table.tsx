import type { ComponentChildren, JSX } from 'preact';

/** A column of a table: its heading and its cell of a row. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /**
   * What its cells contain. The `name` of a row is also a heading for screen readers. Numbers and times are
   * aligned at the end.
   */
  readonly kind?: 'name' | 'number' | 'text' | 'url';
  /** On a phone, a cell with a label has a line of its own. The others share a line, two by two. */
  readonly hasLabel?: boolean;
}

/**
 * A table of rows, whose columns are objects, so that no heading can stand above the cells of another. With
 * `stacks`, each row is a block of lines on a phone.
 */
export function Table<Row>(props: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The attributes of a row, with its key. */
  toAttributes: (row: Row) => {
    readonly key: string;
    readonly class?: string;
    readonly [data: `data-${string}`]: string;
  };
  stacks?: boolean;
  testId?: string;
}): JSX.Element {
  const { label, columns, rows, toAttributes, stacks = false, testId } = props;
  return (
    <TableFrame label={label} heads={columns} stacks={stacks} testId={testId}>
      {rows.map((row) => {
        const { key, ...attributes } = toAttributes(row);
        return (
          <tr key={key} {...attributes}>
            {columns.map((column) => (
              <Cell key={column.title} column={column} row={row} />
            ))}
          </tr>
        );
      })}
    </TableFrame>
  );
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }): JSX.Element {
  const { title, cell, kind, hasLabel = false } = column;
  const content = cell(row);
  if (kind === 'name') return <th scope="row">{content}</th>;
  return (
    <td class={kind && `cell-${kind}`} data-label={hasLabel ? title : undefined}>
      {content}
    </td>
  );
}

/**
 * The frame of a table, which scrolls sideways, by keyboard too. `children` are its rows: use `Table` unless
 * they differ in kind.
 */
export function TableFrame(props: {
  label: string;
  heads: readonly Pick<Column<never>, 'title' | 'kind'>[];
  children: ComponentChildren;
  stacks?: boolean;
  testId?: string | undefined;
}): JSX.Element {
  const { label, heads, children, stacks = false, testId } = props;
  return (
    <div class="table-frame" role="region" aria-label={label} tabIndex={0}>
      <table class={stacks ? 'table table--stacks' : 'table'} data-testid={testId}>
        <thead>
          <tr>
            {heads.map(({ title, kind }) => (
              <th key={title} scope="col" class={kind === 'number' ? 'cell-number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
