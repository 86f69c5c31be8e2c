/** The filters that a link to the inspector sets: `#SESSION` or `#?text=…`. */
export interface Route {
  readonly sessionId: string | null;
  readonly text: string;
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { sessionId: path || null, text: new URLSearchParams(query).get('text') ?? '' };
}

export function toHash({ sessionId, text }: Route): string {
  return `#${sessionId ?? ''}${text && `?${new URLSearchParams({ text })}`}`;
}
