import { groupSkipped, toLevelLines, toSummaryLine, type Report } from '../report.ts';

/** Formats the results as Markdown, for a pull request or a job summary. */
export function toMarkdown(report: Report): string {
  const { name, apiBase, results } = report;
  const failed = results.filter(({ status }) => status === 'failed');
  return [
    `# Conformance of ${name}`,
    '',
    `API: ${apiBase}`,
    '',
    ...toLevelLines(report).map((line) => `- ${line}`),
    '',
    ...(failed.length === 0
      ? []
      : [
          '| check | level | expected | answered |',
          '| --- | --- | --- | --- |',
          ...failed.map(
            ({ id, level, failure }) =>
              `| ${[id, level, failure?.expected ?? '', failure?.answered ?? ''].map(escape).join(' | ')} |`,
          ),
          '',
        ]),
    ...groupSkipped(results).map(([reason, ids]) => `- ${ids.length} skipped: ${escape(reason)}`),
    '',
    toSummaryLine(report),
  ].join('\n');
}

function escape(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\|<`*_]/g, String.raw`\$&`);
}
