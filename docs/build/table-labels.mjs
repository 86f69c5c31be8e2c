/**
 * Gives each cell of a page's tables the heading of its column, which phones show before the cell, because
 * they show each row as a block. The roles remain, because browsers drop those of a table that is no table.
 */
export const withCellLabels = (html) =>
  html.replace(/<table>([\s\S]*?)<\/table>/g, (_, table) => {
    const labels = Array.from(table.matchAll(/<th\b[^>]*>([\s\S]*?)<\/th>/g), ([, text]) =>
      text
        .replace(/<[^>]*>/g, '')
        .replaceAll('"', '&quot;')
        .trim(),
    );
    const rows = table
      .replace(/<(thead|tbody)>/g, '<$1 role="rowgroup">')
      .replace(/<th\b/g, '<th role="columnheader"')
      .replace(/<tr>([\s\S]*?)<\/tr>/g, (_row, cells) => {
        let column = 0;
        return `<tr role="row">${cells.replace(/<td\b/g, () => {
          column += 1;
          return `<td role="cell" data-label="${labels[column - 1] ?? ''}"`;
        })}</tr>`;
      });
    return `<table role="table">${rows}</table>`;
  });
