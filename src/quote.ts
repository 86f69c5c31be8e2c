/**
 * Formats a value for an error message, which may end up in a log. Leaves out secret keys, and the
 * credentials, the query and the fragment of a URL. For an object, only its type is shown.
 */
export const quote = (value: unknown): string => {
  if (typeof value === 'string') {
    const secrets = /((?:^|[^a-z])sk_)\w+|^(https?:)?[^]*@|([?#])[^]*/gi;
    return JSON.stringify(value.replace(secrets, '$1$2$3…'));
  }
  return Object(value) === value ? {}.toString.call(value) : String(value);
};
