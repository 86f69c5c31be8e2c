import { createRequire } from 'node:module';

const { name, exports } = createRequire(import.meta.url)('../package.json');

/** The entries of the package that are modules: `ofage`, `ofage/server` and so on. */
export const ENTRIES = Object.entries(exports)
  .filter(([, target]) => target.import?.default)
  .map(([path]) => path.replace('.', name));
