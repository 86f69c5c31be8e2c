import { DOCS_PATH } from '../help/docs-site.ts';

/** One kind of path. */
interface Route {
  readonly path: RegExp;
  /** Those of its paths that the public listener has, too. Null if it has none. */
  readonly publicPath: RegExp | null;
}

/**
 * Every path of the server, by what answers it. The first entry whose `path` matches counts. A path that no
 * `publicPath` matches does not exist on the public listener.
 */
export const ROUTES = {
  service: {
    path: /^\/(api|hosted|control|reports|(openapi|asyncapi)\.json)(\/|$)/,
    publicPath: /^\/(api|hosted)\/v1\//,
  },
  shop: { path: /^\/shop\//, publicPath: null },
  script: { path: /^\/(sdk|ofage)\.min\.js$/, publicPath: /^/ },
  help: { path: /^\/help(\/|$)/, publicPath: /^\/help\/\w+$/ },
  docs: { path: new RegExp(`^${DOCS_PATH}(/|$)`), publicPath: null },
  // Of the assets, only those of the hosted page are public.
  page: { path: /^\//, publicPath: /^\/(verify\/|assets\/[\w.-]+)$/ },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteName = keyof typeof ROUTES;

const NAMES = Object.keys(ROUTES) as RouteName[];

export function findRoute(pathname: string): RouteName {
  return NAMES.find((name) => ROUTES[name].path.test(pathname)) ?? 'page';
}

/** Returns null for a path that does not exist on the public listener. */
export function findPublicRoute(pathname: string): RouteName | null {
  const name = findRoute(pathname);
  return ROUTES[name].publicPath?.test(pathname) === true ? name : null;
}
