import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (fromHere) => fileURLToPath(new URL(fromHere, import.meta.url));

/** The folder of the repository, with a separator at its end. */
export const ROOT = path('../../');

/** The folder of the documentation. */
export const DOCS = path('../');

/** The folder from which Starlight reads its pages. The build writes it. */
export const CONTENT = path('../site/content/docs/');

/** The folder for the two OpenAPI documents. The build writes it. */
export const OPENAPI = path('../site/openapi/');

/** The folder of files that the site contains unchanged. The build writes it. */
export const PUBLIC = path('../site/public/');

/** The folder of the finished site. */
export const OUTPUT = path('../../dist-docs/');

const { homepage, repository } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));

/** The address of the published site. */
export const SITE = homepage;

export const SITE_TITLE = 'OfAge';

/** Returns the address of a source file at the code host. */
export const toSourceUrl = (file) =>
  `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/main/${file}`;
