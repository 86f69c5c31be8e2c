// Vite plugins for the static playground, which brings the whole service along. Many static hosts compress
// nothing, so these plugins reduce what a page loads before it can be used.
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Plugin, type UserConfig, build, minify } from 'vite';
import { notePackages } from '../scripts/third-party-notices.mjs';
import { toSlashes } from '../scripts/platform.mjs';

/**
 * Builds the service of the static site and MSW into one compressed file, whose address is the module
 * virtual:packed-service. The file contains everything that it needs, because a script that is imported
 * from memory cannot import files.
 * @param shared The settings of the pages. Null in a build for the mock server, which needs no such file.
 */
export function packedService(shared: UserConfig | null): Plugin {
  const compress = promisify(gzip);
  const name = 'virtual:packed-service';
  return {
    name: 'ofage-packed-service',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    async load(id) {
      if (id !== `\0${name}`) return null;
      if (!shared) return 'export default "";';
      const source = await compress(await buildService(shared), { level: 9 });
      const file = this.emitFile({ type: 'asset', name: 'service.bin', source });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
  };
}

async function buildService(shared: UserConfig): Promise<string> {
  const built = await build({
    ...shared,
    configFile: false,
    plugins: [notePackages('static-service')],
    mode: 'static',
    logLevel: 'warn',
    build: {
      write: false,
      // kB
      chunkSizeWarningLimit: 600,
      rolldownOptions: {
        input: fileURLToPath(new URL('static/static-mode.ts', import.meta.url)),
        preserveEntrySignatures: 'strict',
        output: { codeSplitting: false },
      },
    },
  });
  const [result] = [built].flat();
  if (!result || !('output' in result)) throw new Error('Cannot build the service: no output');
  return result.output[0].code;
}

/** Minifies the service worker, which the plugin of MSW writes with all its comments. */
export function smallWorker(): Plugin {
  const name = 'mockServiceWorker.js';
  return {
    name: 'ofage-small-worker',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const file = bundle[name];
        if (file?.type !== 'asset')
          throw new Error(`Cannot minify ${name}: the build did not write it`);
        const { code } = await minify(name, String(file.source), { module: false });
        file.source = code;
      },
    },
  };
}

/** Pages that do not run the service. */
export const PAGES_WITHOUT_SERVICE = /\/(labs\/coop|labs\/frame)\/index\.html$/;

/** Marks the pages that load their fonts after the service, so that the fonts do not delay it. */
export function fontsLast(): Plugin {
  return {
    name: 'ofage-fonts-last',
    transformIndexHtml: (html, { filename }) =>
      PAGES_WITHOUT_SERVICE.test(toSlashes(filename))
        ? html
        : html.replace('<html', '<html data-fonts="last"'),
  };
}
