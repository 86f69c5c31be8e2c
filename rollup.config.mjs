// Builds everything that ships: the SDK (ESM, CJS, UMD), the server kit, the mock, the command line.
import { readFileSync } from 'node:fs';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const banner = `/*! OfAge ${version} | MIT */`;

/** The mock's dependencies are bundled, except msw, pg and Node's built-in modules. */
const external = [/^node:/, /^msw(\/|$)/, 'pg'];

const compile = (tsconfig, target) =>
  typescript({
    tsconfig,
    compilerOptions: {
      target,
      noEmit: false,
      noEmitOnError: true,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
    },
    include: [
      'src/**/*.ts',
      'mock-server/**/*.ts',
      'testing/**/*.ts',
      'playground/merchant-backend/**/*.ts',
    ],
  });

const minify = () =>
  terser({
    ecma: 2015,
    compress: {
      passes: 3,
      unsafe_arrows: true,
      hoist_funs: true,
      hoist_props: true,
      pure_getters: true,
    },
    mangle: { properties: { regex: /^_/ } },
    format: { comments: /^!/ },
  });

/**
 * Wraps the script tag's file for CommonJS and a global. No AMD: a page may load it by a script tag
 * although it has an AMD loader for other scripts, and RequireJS throws when a module that it did not
 * ask for calls define().
 */
const universal = (name) => ({
  name: 'universal',
  renderChunk(code) {
    const [end, main] = /export \{ (\w+) as default \};\s*$/.exec(code);
    return {
      code: `${banner}
        (() => {
          ${code.slice(0, -end.length)}
          if (typeof module === 'object' && module.exports) module.exports = ${main};
          else (typeof globalThis === 'object' ? globalThis : self).${name} = ${main};
        })();`,
      map: null,
    };
  },
});

const types = (input, name) => ({
  input,
  external,
  plugins: [nodeResolve({ exportConditions: ['types'] }), dts({ respectExternal: false })],
  output: [{ file: `dist/${name}.d.ts` }, { file: `dist/${name}.d.cts` }],
});

const sdk = [
  {
    input: 'src/index.ts',
    plugins: [compile('src/tsconfig.json', 'ES2015')],
    output: [
      { file: 'dist/index.js', format: 'es', banner },
      { file: 'dist/index.cjs', format: 'cjs', banner, exports: 'named' },
    ],
  },
  {
    input: 'src/umd.ts',
    plugins: [compile('src/tsconfig.json', 'ES2015')],
    // Two file names, because the older one stays available. The .js file has the same bytes as the .cjs
    // file: Node treats a .js file of this package as an ES module.
    output: ['sdk.min.js', 'sdk.min.cjs', 'ofage.min.js', 'ofage.min.cjs'].map((name) => ({
      file: `dist/${name}`,
      format: 'es',
      plugins: [universal('OfAge'), minify()],
    })),
  },
  types('src/index.ts', 'index'),
];

const server = [
  {
    input: 'src/server/index.ts',
    plugins: [compile('src/server/tsconfig.json', 'ES2022')],
    output: [
      { file: 'dist/server.js', format: 'es', banner },
      { file: 'dist/server.cjs', format: 'cjs', banner },
    ],
  },
  types('src/server/index.ts', 'server'),
];

const bundled = (tsconfig) => [nodeResolve(), commonjs(), json(), compile(tsconfig, 'ES2022')];

const mock = [
  {
    input: 'mock-server/index.ts',
    external,
    plugins: bundled('mock-server/tsconfig.json'),
    output: [
      { file: 'dist/mock.js', format: 'es', banner },
      { file: 'dist/mock.cjs', format: 'cjs', banner },
    ],
  },
  types('mock-server/index.ts', 'mock'),
  {
    input: 'mock-server/node.ts',
    external,
    plugins: bundled('mock-server/tsconfig.node.json'),
    output: [
      { file: 'dist/mock-node.js', format: 'es', banner },
      { file: 'dist/mock-node.cjs', format: 'cjs', banner },
    ],
  },
  types('mock-server/node.ts', 'mock-node'),
  {
    input: 'mock-server/client.ts',
    plugins: [compile('mock-server/tsconfig.json', 'ES2022')],
    output: [
      { file: 'dist/mock-client.js', format: 'es', banner },
      { file: 'dist/mock-client.cjs', format: 'cjs', banner },
    ],
  },
  types('mock-server/client.ts', 'mock-client'),
  {
    input: 'mock-server/cli/main.ts',
    external,
    plugins: bundled('mock-server/tsconfig.node.json'),
    output: { file: 'dist/ofage-mock.js', format: 'es', banner: `#!/usr/bin/env node\n${banner}` },
  },
];

/** Fixtures for test runners, and the SDK for another service. The service itself is only a type here. */
const testing = [
  {
    input: 'testing/index.ts',
    plugins: [compile('testing/tsconfig.json', 'ES2022')],
    output: [
      { file: 'dist/testing.js', format: 'es', banner },
      { file: 'dist/testing.cjs', format: 'cjs', banner },
    ],
  },
  types('testing/index.ts', 'testing'),
];

/** The demo shop's server, which runs as a separate process beside the mock. */
const merchantBackend = {
  input: 'playground/merchant-backend/main.ts',
  external,
  plugins: bundled('playground/merchant-backend/tsconfig.json'),
  output: { file: 'dist/merchant-backend.js', format: 'es', banner },
};

export default [...sdk, ...server, ...mock, ...testing, merchantBackend];
