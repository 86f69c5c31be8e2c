import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The entries of both packages that are modules: `ofage`, `ofage/server`, `ofage-mock` and so on. */
export const ENTRIES = ['../package.json', '../mock-server/package.json'].flatMap((manifest) => {
  const { name, exports } = require(manifest);
  return Object.entries(exports)
    .filter(([, target]) => target.import?.default)
    .map(([path]) => path.replace('.', name));
});
