// Rollup plugins for the JavaScript files of the package.

/**
 * Wraps the script tag's file for CommonJS and a global. Does not support AMD, because a page may load the
 * file by a script tag although it has an AMD loader for other scripts, and RequireJS throws when a module
 * that it did not request calls define(). In a page, the global is set even if there is a `module`, because
 * Parcel and Rolldown wrap the file as a CommonJS module.
 */
export const universal = (name, banner) => ({
  name: 'universal',
  renderChunk(code) {
    const [end, main] = /export \{ (\w+) as default \};\s*$/.exec(code);
    return {
      code: `${banner}
        (() => {
          ${code.slice(0, -end.length)}
          const isModule = typeof module === 'object' && module.exports;
          if (isModule) module.exports = ${main};
          if (!isModule || typeof document === 'object')
            (typeof globalThis === 'object' ? globalThis : self).${name} = ${main};
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
  renderChunk(code) {
    const eager = "var msw = require('msw');";
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
