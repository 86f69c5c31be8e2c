// Builds the code of both packages, with their declarations. `ofage` is the SDK (ESM, CJS and script tag) and
// the server kit. `ofage-mock` is the mock with its command, the conformance kit and the fixtures for test
// runners. Vite builds the pages.
import { readFileSync, rmSync } from 'node:fs';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import typescript from '@rollup/plugin-typescript';
import { dts } from 'rollup-plugin-dts';
import { readHelp } from './mock-server/help/read-help.ts';
import { notePackages } from './scripts/third-party-notices.mjs';
import { toSlashes } from './scripts/platform.mjs';
import {
  copies,
  fileUrl,
  forModules,
  lazyMsw,
  scriptTagTypes,
  universal,
  withHelp,
  withOptionalMsw,
  withoutMock,
} from './scripts/rollup-plugins.mjs';

const versionIn = (manifest) =>
  JSON.parse(readFileSync(new URL(manifest, import.meta.url), 'utf8')).version;
const banner = `/*! OfAge ${versionIn('package.json')} | MIT */`;
const mockBanner = `/*! OfAge mock ${versionIn('mock-server/package.json')} | MIT */`;

const MOCK_DIST = 'mock-server/dist';

/** The mock's dependencies are bundled, except `ofage`, msw, pg and Node's built-in modules. */
const external = [/^node:/, /^msw(\/|$)/, 'pg', /^ofage(\/|$)/];

/**
 * Compiles the code of `folders`. `npm run types` checks the types, so `noCheck`, and only as many
 * declarations of the platform as the compiler insists on. Imports keep their extension .ts, which Rollup
 * finds: `rewriteRelativeImportExtensions` would also change the import of the driver that
 * `conform --driver` loads, to a call of a helper that the bundle does not contain.
 */
const compile = (target, ...folders) =>
  typescript({
    tsconfig: false,
    include: folders.map((folder) => `${folder}/**/*.ts`),
    compilerOptions: {
      target,
      module: 'ESNext',
      moduleResolution: 'bundler',
      verbatimModuleSyntax: true,
      noCheck: true,
      lib: ['ES5'],
      types: [],
      sourceMap: false,
    },
  });

/** Removes the comments and keeps the code readable. The documentation is in the declarations. */
const withoutComments = () =>
  terser({
    ecma: 2020,
    compress: false,
    mangle: false,
    format: { beautify: true, indent_level: 2, comments: /^!/, preserve_annotations: true },
  });

/**
 * Shortens the mock's bundles by two fifths. Functions and classes keep their names, which stack traces show.
 */
const small = () =>
  terser({
    ecma: 2020,
    compress: false,
    mangle: { keep_classnames: true, keep_fnames: true },
    format: { comments: /^!|[@#]__PURE__/ },
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
    // Only ASCII, because a server may send the file without a charset.
    format: { comments: /^!/, ascii_only: true },
  });

/**
 * Returns the configuration for the declarations of several entries, with shared parts in `shared/` of the
 * folder. The declarations for ES modules re-export those for CommonJS, because TypeScript lets an ES module
 * import a CommonJS one, but not the other way round.
 */
const types = (dir, input, plugins = []) => ({
  input,
  external,
  plugins: [
    nodeResolve({ exportConditions: ['types'] }),
    dts({ respectExternal: false }),
    ...plugins,
    forModules(),
  ],
  output: {
    dir,
    entryFileNames: '[name].d.cts',
    chunkFileNames: 'shared/[name].d.cts',
  },
});

const sdk = [
  {
    input: 'src/index.ts',
    plugins: [nodeResolve(), compile('ES2015', 'src'), scriptTagTypes()],
    output: [
      { file: 'dist/index.js', format: 'es', banner, plugins: [withoutComments()] },
      {
        file: 'dist/index.cjs',
        format: 'cjs',
        banner,
        exports: 'named',
        plugins: [withoutComments()],
      },
    ],
  },
  types('dist', { index: 'src/index.ts' }),
];

const scriptTag = {
  input: 'src/umd.ts',
  plugins: [nodeResolve(), compile('ES2015', 'src')],
  output: {
    file: 'dist/sdk.min.js',
    format: 'es',
    // The older file name stays available. Each file also exists with the extension .cjs, because Node
    // treats a .js file of this package as an ES module.
    plugins: [
      universal('OfAge', banner),
      minify(),
      copies(['sdk.min.cjs', 'ofage.min.js', 'ofage.min.cjs']),
    ],
  },
};

const server = {
  input: 'src/server/index.ts',
  plugins: [compile('ES2022', 'src/server')],
  output: [
    { file: 'dist/server.js', format: 'es', banner, plugins: [withoutComments()] },
    { file: 'dist/server.cjs', format: 'cjs', banner, plugins: [withoutComments()] },
  ],
};

/** The plugins of the bundles that contain their dependencies. */
const bundled = (...folders) => [
  withHelp(readHelp),
  nodeResolve(),
  commonjs(),
  json(),
  compile('ES2022', ...folders),
];
/** The demo backend imports both packages by name, as a merchant's server does. */
const BUILT = { 'ofage-mock/client': './client.js' };
/** The names of the large chunks, by a module of each. */
const CHUNKS = {
  '/mock-server/service/service.ts': 'service',
  '/mock-server/conformance/kit.ts': 'conformance-kit',
};
const chunkFileNames =
  (extension) =>
  ({ moduleIds }) => {
    const ids = moduleIds.map(toSlashes);
    const own = Object.keys(CHUNKS).find((end) => ids.some((id) => id.endsWith(end)));
    return `shared/${CHUNKS[own] ?? '[name]'}.${extension}`;
  };

/**
 * The mock, for programs and as a command. Code of several entries is in `shared/`, once for each module
 * system.
 */
const mock = {
  input: {
    index: 'mock-server/index.ts',
    node: 'mock-server/node.ts',
    client: 'mock-server/client.ts',
    conformance: 'mock-server/conformance/index.ts',
    'ofage-mock': 'mock-server/cli/main.ts',
    // The server of the demo shop, which runs as a separate process beside the mock.
    'demo-backend': 'playground/demo-backend/main.ts',
  },
  external: [...external, ...Object.keys(BUILT)],
  plugins: [
    ...bundled('mock-server', 'playground/demo-backend', 'playground/reference-backend'),
    notePackages('mock-es'),
  ],
  output: {
    dir: MOCK_DIST,
    format: 'es',
    chunkFileNames: chunkFileNames('js'),
    paths: BUILT,
    plugins: [small()],
    banner: ({ name }) =>
      name === 'ofage-mock' ? `#!/usr/bin/env node\n${mockBanner}` : mockBanner,
  },
};

const mockForCommonJs = {
  input: {
    index: 'mock-server/index.ts',
    node: 'mock-server/node.ts',
    client: 'mock-server/client.ts',
    conformance: 'mock-server/conformance/index.ts',
  },
  external,
  plugins: [...bundled('mock-server'), notePackages('mock-cjs')],
  output: {
    dir: MOCK_DIST,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: chunkFileNames('cjs'),
    plugins: [fileUrl(), lazyMsw(), small()],
    banner: mockBanner,
  },
};

/** What the mock appends to the SDK's script. */
const reporter = {
  input: 'mock-server/reporter/script.ts',
  plugins: [compile('ES2015', 'mock-server')],
  output: { file: `${MOCK_DIST}/reporter.js`, format: 'iife', plugins: [minify()] },
};

/** Fixtures for test runners, and the SDK for another service. The service itself is only a type here. */
const testing = {
  input: 'mock-server/testing/index.ts',
  plugins: [compile('ES2022', 'src', 'mock-server')],
  output: [
    { file: `${MOCK_DIST}/testing.js`, format: 'es', banner: mockBanner, plugins: [small()] },
    { file: `${MOCK_DIST}/testing.cjs`, format: 'cjs', banner: mockBanner, plugins: [small()] },
  ],
};

const mockTypes = types(
  MOCK_DIST,
  {
    index: 'mock-server/index.ts',
    node: 'mock-server/node.ts',
    client: 'mock-server/client.ts',
    testing: 'mock-server/testing/index.ts',
    conformance: 'mock-server/conformance/index.ts',
  },
  [withoutMock(), withOptionalMsw()],
);

/** The bundles that a running mock needs. `npm start` builds only these, both parts at once. */
const served = { sdk: [scriptTag, server], mock: [mock, reporter] };

const rest = [
  ...sdk,
  types('dist', { server: 'src/server/index.ts' }),
  mockForCommonJs,
  testing,
  mockTypes,
];

export default ({ configOnly }) => {
  if (configOnly) return served[configOnly];
  // The chunks of an earlier build would stay if their names differ.
  rmSync(`${MOCK_DIST}/shared`, { recursive: true, force: true });
  return [scriptTag, server, mock, reporter, ...rest];
};
