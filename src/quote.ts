/**
 * Formats a value for an error message, which may end up in a log. A secret key, and the password
 * and the query of a URL are left out, and of an object only the type is named.
 */
export const quote = (value: unknown): string => {
  if (typeof value === 'string') {
    return JSON.stringify(value.replace(/sk_\w+|^[^]*@|[?#][^]*/gi, '…'));
  }
  return Object(value) === value ? typeof value : String(value);
};
