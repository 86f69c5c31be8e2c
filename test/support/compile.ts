import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');

interface CompileOptions {
  /** Compiler options that differ from those of test/tsconfig.json. */
  readonly options?: ts.CompilerOptions;
  /** Paths of files with declarations that the modules use. */
  readonly ambient?: readonly string[];
}

/**
 * Compiles texts as separate modules that import the public entries.
 *
 * @param texts The text of each module, by its path in this folder's parent, such as `docs/example.ts`
 * @returns the messages of the compiler, by the same paths
 */
export function compileModules(
  texts: ReadonlyMap<string, string>,
  { options = {}, ambient = [] }: CompileOptions = {},
): Map<string, string[]> {
  const config = ts.readConfigFile(join(ROOT, 'test/tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  );
  const base = ts.parseJsonConfigFileContent(config.config, ts.sys, join(ROOT, 'test')).options;
  const files = new Map([...texts].map(([name, text]) => [join(ROOT, 'test', name), text]));
  const host = ts.createCompilerHost({ ...base, ...options });
  const { directoryExists = () => true, fileExists, getSourceFile } = host;
  const folders = new Set([...files.keys()].map((path) => dirname(path)));
  host.directoryExists = (path) => folders.has(path) || directoryExists(path);
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    const text = files.get(path);
    if (text === undefined) return getSourceFile(path, ...rest);
    // The project's own JSX is Preact's.
    const jsx = text.includes("from 'react") ? '/** @jsxImportSource react */ ' : '';
    return ts.createSourceFile(path, `${jsx}${text}\nexport {};`, ts.ScriptTarget.ES2023, true);
  };
  const program = ts.createProgram([...files.keys(), ...ambient], { ...base, ...options }, host);
  return new Map(
    [...texts.keys()].map((name) => {
      const source = program.getSourceFile(join(ROOT, 'test', name));
      const found = [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ];
      return [
        name,
        found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      ];
    }),
  );
}
