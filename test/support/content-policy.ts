/** Parses the Content-Security-Policy of a response. The first directive of a name counts, as in browsers. */
export function parsePolicy({ headers }: Response): Record<string, string[]> {
  const directives = (headers.get('content-security-policy') ?? '').split(';');
  const policy: Record<string, string[]> = {};
  for (const directive of directives) {
    const [name = '', ...values] = directive.trim().split(/\s+/);
    policy[name] ??= values;
  }
  return policy;
}
