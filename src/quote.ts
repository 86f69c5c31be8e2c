/**
 * Formats a value for an error message, which may end up in a log. A secret key, and the password
 * and the query of a URL are left out, and of an object only the type is named.
 */
export const quote = (value: unknown): string => {
  if (typeof value === 'string') {
    const secrets = /((?:^|[^a-z])sk_)\w+|^(https?:)?[^]*@|([?#])[^]*/gi;
    return JSON.stringify(value.replace(secrets, '$1$2$3…'));
  }
  return Object(value) === value ? {}.toString.call(value) : String(value);
};
