/** The projects in examples/, which the guides print and customers copy. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url));

export const EXAMPLES = ['script-tag', 'vite-express', 'next'] as const;

export type ExampleName = (typeof EXAMPLES)[number];

/** What npm and the tools write into a project. */
const WRITTEN = ['node_modules', 'public', '.next', '.ofage', '.env*', 'next-env.d.ts'];

/** Returns the files of a project: path in the project, and content. */
export function readExample(name: ExampleName): Record<string, string> {
  const exclude = WRITTEN.flatMap((path) => [path, `${path}/**`]);
  const entries = globSync('**', { cwd: FOLDER + name, exclude, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => `${parentPath}/${file}`)
      .map((path) => [path.slice(`${FOLDER}${name}/`.length), readFileSync(path, 'utf8')]),
  );
}

/** Returns a file as a guide prints it, below a comment with its path in the project. */
export const toPrinted = (path: string, text: string): string =>
  path.endsWith('.html') ? `<!-- ${path} -->\n${text}` : `// ${path}\n${text}`;

/** The blocks of code that are a whole file of an example, which other tests compile and run. */
export const PRINTED_FILES: ReadonlySet<string> = new Set(
  EXAMPLES.flatMap((name) =>
    Object.entries(readExample(name)).map(([path, text]) => toPrinted(path, text)),
  ),
);
