// Writes the reference of the command, and the OpenAPI documents from which the OpenAPI plugin creates its
// pages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../mock-server/cli/commands.ts';
import { toCommandHelp, toHelp, toStartHelp } from '../../mock-server/cli/help.ts';
import { fetchDocument } from './documents.mjs';
import { writeContent } from './pages.mjs';
import { OPENAPI } from './paths.mjs';

export function writeCliPage() {
  writeContent('reference/cli', toCliPage(), 'README.md');
}

/** Returns the page of the command `ofage-mock`, from its own help. */
export function toCliPage() {
  const block = (text) => `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
  return [
    '# The command ofage-mock',
    'Every command with its options. `ofage-mock --help` and `ofage-mock COMMAND --help` print the same.',
    block(toHelp()),
    `## start\n\n${block(toStartHelp())}`,
    ...COMMANDS.map((command) => `## ${command.name}\n\n${block(toCommandHelp(command))}`),
  ].join('\n\n');
}

/** The two documents: one for the public API and the hosted page's API, one for the control API. */
const DOCUMENTS = {
  'http-api': {
    title: 'HTTP API',
    isPart: (path) => !path.startsWith('/control/'),
    description: 'The API that production has too, and the API of the hosted page.',
  },
  'control-api': {
    title: 'Control API',
    isPart: (path) => path.startsWith('/control/'),
    description: 'The control API of the mock. Production does not have it.',
  },
};

/** Writes the two documents. */
export async function writeOpenApi() {
  mkdirSync(OPENAPI, { recursive: true });
  const documents = splitOpenApi(await fetchDocument('openapi.json'));
  for (const [name, document] of Object.entries(documents))
    writeFileSync(join(OPENAPI, `${name}.json`), JSON.stringify(document, null, 2));
}

/** Splits the OpenAPI document that the mock serves. Returns the two documents by name. */
export function splitOpenApi(all) {
  const entries = Object.entries(DOCUMENTS).map(([name, { title, description, isPart }]) => {
    const paths = Object.fromEntries(Object.entries(all.paths).filter(([path]) => isPart(path)));
    const tags = all.tags.filter((tag) =>
      Object.values(paths).some((path) =>
        Object.values(path).some((operation) => operation.tags.includes(tag.name)),
      ),
    );
    return [name, { ...all, info: { ...all.info, title, description }, tags, paths }];
  });
  return Object.fromEntries(entries);
}
