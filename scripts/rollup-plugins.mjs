// Rollup plugins for the files of the package. A plugin that changes text fails if it finds nothing to change.
import { toSlashes } from './platform.mjs';

/**
 * Wraps the script tag's file for CommonJS, a global and AMD. In a page, the global is set even if there is a
 * `module`, because Parcel and Rolldown wrap the file as a CommonJS module.
 *
 * The AMD module has a name. RequireJS throws when a script that it did not request defines an anonymous
 * module, and a page may load the file by a script tag although it has a loader for other scripts. define() is
 * called last, so that the global is there whatever a loader does.
 */
export const universal = (name, banner) => ({
  name: 'universal',
  renderChunk(code) {
    const [end, main] = /export \{ (\w+) as default \};\s*$/.exec(code) ?? [];
    if (main === undefined) throw new Error('The script tag should end with its default export');
    return {
      code: `${banner}
        (() => {
          ${code.slice(0, -end.length)}
          const isModule = typeof module === 'object' && module.exports;
          if (isModule) module.exports = ${main};
          if (!isModule || typeof document === 'object')
            (typeof globalThis === 'object' ? globalThis : self).${name} = ${main};
          if (!isModule && typeof define === 'function' && define.amd)
            define('${name.toLowerCase()}', [], () => ${main});
        })();`,
      map: null,
    };
  },
});

/** Writes copies of the bundle under further names. */
export const copies = (names) => ({
  name: 'copies',
  generateBundle(_, bundle) {
    const [{ code }] = Object.values(bundle);
    for (const fileName of names) this.emitFile({ type: 'asset', fileName, source: code });
  },
});

/**
 * Loads msw when a handler is first created. In its CommonJS mode, Jest cannot load the ES modules that newer
 * versions of msw depend on, and most of the mock works without msw.
 */
export const lazyMsw = () => ({
  name: 'lazy-msw',
  renderChunk(code, { imports }) {
    if (!imports.includes('msw')) return null;
    const eager = "var msw = require('msw');";
    if (!code.includes(eager)) throw new Error(`A chunk that imports msw should contain ${eager}`);
    const lazy = "const msw = { get http() { return require('msw').http; } };";
    return { code: code.replace(eager, lazy), map: null };
  },
});

/**
 * Replaces `import.meta.url` in CommonJS with the URL of the file. The code that Rollup inserts instead
 * would read the address of a document if there is one, as in a test runner's jsdom environment.
 */
export const fileUrl = () => ({
  name: 'file-url',
  resolveImportMeta: (property, { format }) =>
    property === 'url' && format === 'cjs'
      ? "require('node:url').pathToFileURL(__filename).href"
      : null,
});

/** Puts the help about all codes into the bundle, in place of the module that reads the documentation. */
export const withHelp = (readHelp) => ({
  name: 'with-help',
  load: (id) =>
    toSlashes(id).endsWith('/mock-server/help/help-entries.ts')
      ? `export const HELP = ${JSON.stringify(readHelp())};`
      : null,
  generateBundle(_, bundle) {
    for (const { moduleIds = [] } of Object.values(bundle))
      if (moduleIds.some((id) => toSlashes(id).endsWith('/mock-server/help/read-help.ts')))
        throw new Error('withHelp() should replace the module that imports help/read-help.ts');
  },
});

const IMPORT_OF_MOCK = /^import \{ (.+) \} from '\.\/index\.cjs';$/gm;

/**
 * Imports shared declarations from the files that contain them. Rollup imports them from the entry that
 * exports their names, `ofage-mock`, which imports msw, and users of the other entries may not have msw.
 */
export const withoutMock = () => ({
  name: 'without-mock',
  generateBundle(_, bundle) {
    const mock = bundle['index.d.cts'];
    const sources = new Map();
    const shared = /^(?:import|export) \{ (.+) \} from '(\.\/shared\/.+)';$/gm;
    for (const [, names, file] of mock.code.matchAll(shared)) {
      for (const name of names.split(', ')) {
        const [inner, outer = inner] = name.split(' as ');
        sources.set(outer, { inner, file });
      }
    }
    const toImport = (name) => {
      const [outer, local = outer] = name.split(' as ');
      const source = sources.get(outer);
      if (source === undefined)
        throw new Error(`index.d.cts has no shared declaration of ${outer}`);
      return `import { ${source.inner} as ${local} } from '${source.file}';`;
    };
    for (const chunk of Object.values(bundle)) {
      chunk.code = chunk.code.replace(IMPORT_OF_MOCK, (_, names) =>
        names.split(', ').map(toImport).join('\n'),
      );
      if (chunk.code.includes("'./index.cjs'"))
        throw new Error(`${chunk.fileName} should not import ofage-mock`);
    }
  },
});

/**
 * Lets TypeScript read the declarations of `ofage-mock` where msw is not installed. The handlers then have
 * the type `any[]`. Only a comment in the declarations can do this, because msw's classes have private
 * members, so that no type of our own would fit `setupServer`.
 */
export const withOptionalMsw = () => ({
  name: 'with-optional-msw',
  generateBundle(_, bundle) {
    const mock = bundle['index.d.cts'];
    const code = mock.code.replace(
      /^import .* from 'msw';$/m,
      '// @ts-ignore msw is an optional peer dependency\n$&',
    );
    if (code === mock.code) throw new Error('index.d.cts of the mock should import msw');
    mock.code = code;
  },
});

/** Adds the declarations for ES modules. */
export const forModules = () => ({
  name: 'for-modules',
  generateBundle(_, bundle) {
    for (const { fileName, isEntry, exports, code } of Object.values(bundle)) {
      if (!isEntry) continue;
      // An ES module sees the whole of a CommonJS module as its default export, so an entry with a default
      // export needs a copy. So does an entry that imports msw 3, which TypeScript refuses in a CommonJS
      // module.
      const isCopied = exports.includes('default') || code.includes(`from 'msw'`);
      this.emitFile({
        type: 'asset',
        fileName: fileName.replace(/cts$/, 'ts'),
        source: isCopied ? code : `export * from './${fileName.replace('.d.cts', '.cjs')}';\n`,
      });
    }
  },
});

/** Adds declarations for the script tag's file: for its global, and for its export in CommonJS. */
export const scriptTagTypes = () => ({
  name: 'script-tag-types',
  generateBundle({ format }) {
    if (format !== 'es') return;
    const files = {
      'global.d.ts': globalType('./index.js') + DECLARED_GLOBAL,
      'global.d.cts': globalType('./index.cjs') + DECLARED_GLOBAL,
      'sdk.min.d.cts': `${globalType('./index.cjs')}\ndeclare const OfAge: OfAgeGlobal;\nexport = OfAge;\n`,
    };
    for (const [fileName, source] of Object.entries(files))
      this.emitFile({ type: 'asset', fileName, source });
  },
});

/** Returns the type of the script tag's global, with the rest of the SDK's types from `index`. */
const globalType = (index) => `import type * as ofage from '${index}';

/** The constructor, with the other exports of the package as its properties. */
interface OfAgeGlobal extends ofage.OfAgeConstructor {
  readonly handleReturn: typeof ofage.handleReturn;
  readonly selfCheck: typeof ofage.selfCheck;
  readonly isOfAgeError: typeof ofage.isOfAgeError;
  readonly OfAgeError: typeof ofage.OfAgeError;
}
`;

const DECLARED_GLOBAL = `
declare global {
  /** Set by sdk.min.js. */
  var OfAge: OfAgeGlobal;
  type OfAge = ofage.OfAge;
}

export {};
`;
