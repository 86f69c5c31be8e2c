import type { CheckResult } from '../run-check.ts';
import { countResults, type Report } from '../report.ts';

/** Formats the results as JUnit XML, with one suite for each section. */
export function toJunit({ name, results, startedAt, durationMs }: Report): string {
  const sections = [...new Set(results.map(({ section }) => section))];
  const suites = sections.map((section) => {
    const own = results.filter((result) => result.section === section);
    return [
      `  <testsuite${toAttributes({ name: section, ...toCounts(own), timestamp: startedAt })}>`,
      ...own.map(toTestCase),
      '  </testsuite>',
    ].join('\n');
  });
  const attributes = {
    name: `Conformance of ${name}`,
    ...toCounts(results),
    time: seconds(durationMs),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${toAttributes(attributes)}>`,
    ...suites,
    '</testsuites>',
  ].join('\n');
}

function toTestCase({ id, section, sentence, durationMs, reason, failure }: CheckResult): string {
  const open = `    <testcase${toAttributes({ classname: section, name: `${id}: ${sentence}`, time: seconds(durationMs) })}`;
  if (reason !== null) return `${open}><skipped${toAttributes({ message: reason })}/></testcase>`;
  if (!failure) return `${open}/>`;
  const { sent, expected, answered, examples } = failure;
  const failed = examples.length === 0 ? '' : `\nexamples: ${examples.join(', ')}`;
  const text = `sent: ${sent}\nexpected: ${expected}\nanswered: ${answered}${failed}`;
  return `${open}><failure${toAttributes({ message: `expected ${expected}` })}>${escape(text)}</failure></testcase>`;
}

function toCounts(results: readonly CheckResult[]): Record<string, number> {
  const { failed, skipped } = countResults(results);
  return { tests: results.length, failures: failed, errors: 0, skipped };
}

function toAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

function escape(text: string): string {
  return (
    text
      // XML 1.0 has no notation for most control characters.
      // oxlint-disable-next-line no-control-regex -- the pattern matches control characters
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
  );
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);
