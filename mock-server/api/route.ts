/** HTTP method and path of an operation of the control API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path below {@link CONTROL_PATH}. Each `{name}` is filled with one of the method's first arguments.
   */
  readonly path: string;
  /**
   * The field of the body for the method's last argument.
   * @default the argument is the body itself, or the query of a `GET`
   */
  readonly field?: string;
  /**
   * Set if the result is in the response's `items`, either as the whole list or as one page.
   * @default the response is the result
   */
  readonly items?: 'all' | 'page';
}

export type RoutesOf<Methods> = { readonly [Name in keyof Methods]: Route };

/** Common prefix of all paths of the control API. */
export const CONTROL_PATH = '/control/v1';

/** The path of the stream of changes (server-sent events), below {@link CONTROL_PATH}. */
export const STREAM_PATH = '/stream';

/** Returns the parameter names in a path: `/tenants/{id}` has `id`. */
export function namesIn(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
}

/** Splits the arguments of a method into path parameters and the body or query. */
export function splitArguments(
  { path, field }: Route,
  args: readonly unknown[],
): { readonly ids: readonly string[]; readonly input: unknown } {
  const count = namesIn(path).length;
  const last = args[count];
  return {
    ids: args.slice(0, count).map(String),
    input: field === undefined ? last : { [field]: last },
  };
}
