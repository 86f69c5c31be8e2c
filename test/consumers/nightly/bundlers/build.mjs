// Builds one page for production with one of the bundlers, to out/PAGE.js.
//   node build.mjs BUNDLER PAGE
import { createRequire } from 'node:module';

const [bundler, page] = process.argv.slice(2);
const require = createRequire(import.meta.url);

/** Builds with webpack, or with a bundler that has its interface. */
function pack(compiler, options = {}) {
  return new Promise((resolve, reject) => {
    const settings = {
      mode: 'production',
      context: import.meta.dirname,
      entry: `./${page}.js`,
      output: { path: `${import.meta.dirname}/out`, filename: `${page}.js` },
      performance: false,
      ...options,
    };
    compiler(settings, (error, stats) => {
      if (error) return reject(error);
      const { errors, warnings } = stats.toJson();
      if (errors.length + warnings.length > 0) {
        return reject(new Error(stats.toString({ errors: true, warnings: true })));
      }
      return resolve();
    });
  });
}

const BUNDLERS = {
  webpack: () => pack(require('webpack')),
  'webpack-4': () => pack(require('webpack-4')),
  rspack: async () => pack((await import('@rspack/core')).rspack),
  vite: async () => {
    const { build } = await import('vite');
    await build({
      logLevel: 'warn',
      build: {
        emptyOutDir: false,
        outDir: 'out',
        rolldownOptions: {
          input: `${page}.js`,
          output: { entryFileNames: '[name].js' },
        },
      },
    });
  },
};

await BUNDLERS[bundler]();
