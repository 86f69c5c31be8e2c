// Writes the reference of the webhooks from the AsyncAPI document of the mock.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS_PATH } from '../../mock-server/help/docs-site.ts';
import { fetchDocument } from './documents.mjs';
import { writeContent } from './pages.mjs';
import { PUBLIC } from './paths.mjs';

const NAME = 'asyncapi.json';

/** Writes the page, and the document beside the pages as a download. */
export async function writeWebhookPage() {
  const document = await fetchDocument(NAME);
  mkdirSync(PUBLIC, { recursive: true });
  writeFileSync(join(PUBLIC, NAME), JSON.stringify(document, null, 2));
  writeContent('reference/webhooks', toWebhookPage(document), 'README.md');
}

/** Returns the page in Markdown. */
export function toWebhookPage(document) {
  const find = (reference) =>
    reference.$ref
      .split('/')
      .slice(1)
      .reduce((part, key) => part[key], document);
  return [
    '# Webhooks in AsyncAPI',
    document.info.description,
    `[Download the document](${DOCS_PATH}/${NAME}) in AsyncAPI ${document.asyncapi}. A running mock has it at \`/${NAME}\`. [Webhooks](guides/webhooks.md) explains how to receive the events.`,
    ...Object.values(document.channels).map(toChannel),
    ...Object.values(document.components.messageTraits).map(toHeaders),
    ...Object.values(document.operations).map((operation) => toOperation(operation, find)),
  ].join('\n\n');
}

function toChannel({ title, description, messages }) {
  const list = Object.keys(messages).map((name) => `- [\`${name}\`](#${toAnchor(name)})`);
  return `## ${title}\n\n${description} It receives these messages:\n\n${list.join('\n')}`;
}

const toHeaders = ({ headers }) => `## Headers of every message\n\n${toTable(headers)}`;

function toOperation({ summary, description, traits, messages }, find) {
  return messages
    .map((reference) => find(find(reference)))
    .map(({ name, contentType, payload, examples }) =>
      [
        `## ${name}`,
        `${summary}. ${description}`,
        `A ${toMethods(traits, find)} request with the content type \`${contentType}\`. Its body:`,
        toTable(payload),
        ...examples.map((example) => toCode(example.payload)),
      ].join('\n\n'),
    )
    .join('\n\n');
}

const toMethods = (traits, find) =>
  traits.map((trait) => find(trait).bindings.http.method).join(' or ');

const toCode = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** Returns the anchor that Starlight gives to a heading. */
const toAnchor = (title) => title.toLowerCase().replaceAll('.', '').replaceAll(' ', '-');

/** Returns the fields of an object as a table. A field of an inner object has a name such as `data.sessionId`. */
function toTable(schema) {
  const rows = listFields(schema).map(
    ({ name, isRequired, field }) =>
      `| \`${name}\` | ${toType(field)} | ${isRequired ? 'yes' : 'no'} | ${field.description ?? ''} |`,
  );
  return ['| field | type | always present | meaning |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
}

const listFields = ({ properties, required = [] }, prefix = '') =>
  Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix + key;
    const row = { name, isRequired: required.includes(key), field };
    return field.properties ? [row, ...listFields(field, `${name}.`)] : [row];
  });

/** The keywords of a schema that the page shows. */
const SHOWN = new Set(
  'const enum type format pattern minLength minimum maximum description properties required'.split(
    ' ',
  ),
);

/** @throws Error if the schema has a keyword that the page would not show */
function toType(schema) {
  const unknown = Object.keys(schema).find((keyword) => !SHOWN.has(keyword));
  if (unknown !== undefined) throw new Error(`The webhook reference does not show "${unknown}"`);
  if ('const' in schema) return toLiteral(schema.const);
  if (schema.enum) return schema.enum.map(toLiteral).join(' or ');
  const { type, format, pattern, minLength, minimum, maximum } = schema;
  return [
    format ?? type,
    minLength === 1 ? 'not empty' : minLength && `at least ${minLength} characters`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    pattern && `matches \`${pattern}\``,
  ]
    .filter(Boolean)
    .join(', ');
}

const toLiteral = (value) => `\`${JSON.stringify(value)}\``;
