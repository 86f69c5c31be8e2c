// Rollup plugins for the declarations of the package.

/**
 * Imports shared declarations from the files that contain them. Rollup imports them from the entry that
 * exports their names, `ofage/mock`, which imports msw, and users of the other entries may not have msw.
 */
export const withoutMock = () => ({
  name: 'without-mock',
  generateBundle(_, bundle) {
    const mock = bundle['mock.d.cts'];
    if (mock === undefined) return;
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
      const { inner, file } = sources.get(outer);
      return `import { ${inner} as ${local} } from '${file}';`;
    };
    for (const chunk of Object.values(bundle)) {
      chunk.code = chunk.code.replace(/^import \{ (.+) \} from '\.\/mock\.cjs';$/gm, (_, names) =>
        names.split(', ').map(toImport).join('\n'),
      );
    }
  },
});

/**
 * Lets TypeScript read the declarations of `ofage/mock` where msw is not installed. The handlers then have
 * the type `any[]`. Only a comment in the declarations can do this, because msw's classes have private
 * members, so that no type of our own would fit `setupServer`.
 */
export const withOptionalMsw = () => ({
  name: 'with-optional-msw',
  generateBundle(_, bundle) {
    const mock = bundle['mock.d.cts'];
    if (mock === undefined) return;
    const code = mock.code.replace(
      /^import .* from 'msw';$/m,
      '// @ts-ignore msw is an optional peer dependency\n$&',
    );
    if (code === mock.code) throw new Error('mock.d.cts should import msw');
    mock.code = code;
  },
});

/** Adds the declarations for ES modules. */
export const forModules = () => ({
  name: 'for-modules',
  generateBundle(_, bundle) {
    for (const { fileName, isEntry, exports, code } of Object.values(bundle)) {
      if (!isEntry) continue;
      this.emitFile({
        type: 'asset',
        fileName: fileName.replace(/cts$/, 'ts'),
        // An ES module sees the whole of a CommonJS module as its default export, so an entry with a
        // default export needs a copy. So does an entry that imports msw 3, which TypeScript refuses in a
        // CommonJS module.
        source:
          exports.includes('default') || code.includes(`from 'msw'`)
            ? code
            : `export * from './${fileName.replace(/\.d\.cts$/, '.cjs')}';\n`,
      });
    }
  },
});
