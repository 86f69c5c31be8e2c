import { readHelp } from '../docs/build/help.mjs';

/** Puts the help about all codes into the bundle, in place of the module that reads the documentation. */
export const withHelp = () => ({
  name: 'with-help',
  load: (id) =>
    id.endsWith('/mock-server/hosts/help-entries.ts')
      ? `export const HELP = ${JSON.stringify(readHelp())};`
      : null,
});
