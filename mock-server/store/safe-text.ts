// The forms of values that reach an env file, a header, a command line or a terminal.

/**
 * Characters that end a line, act on a terminal, reorder the text around them, or cannot be written as
 * UTF-8, for a character class.
 */
const UNSAFE = String.raw`\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069`;

/** The form of a text in one line. A signing secret and the name of an account have it. */
export const ONE_LINE = new RegExp(`^[^${UNSAFE}]*$`, 'u');

/** The form of a key: characters that headers, env files and shells leave as they are. */
export const KEY_FORM = /^[\w.+/=:@-]{1,200}$/;

/** Describes KEY_FORM in messages. */
export const KEY_CHARACTERS = 'letters, digits and _ . + / = : @ -';

const EACH_UNSAFE = new RegExp(`[${UNSAFE}]`, 'gu');

/**
 * Escapes the characters that could forge a line, move the cursor or colour a terminal. The notation
 * `\u001b` is also that of JSON, so JSON keeps its meaning.
 */
export function toPrintable(text: string): string {
  return text.replace(
    EACH_UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Leaves out the user names and passwords of the URLs in a text. */
export function hideCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]*@/gi, '$1…@');
}

/**
 * Returns a URL for a message about it, without its user name and password. The URL may be invalid, so
 * everything before the last @ may be a part of the password.
 */
export function describeUrl(text: string): string {
  const at = text.lastIndexOf('@');
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? '';
  return at === -1 ? text : `${scheme}…${text.slice(at)}`;
}
