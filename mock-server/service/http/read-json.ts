import { ServiceError } from '../../store/errors.ts';
import { MAX_BODY_BYTES, readBytes } from './read-body.ts';

/**
 * Maximum number of arrays and objects inside each other in a body. The deepest valid one, a snapshot, has
 * six. Recursive functions, and the JSON functions of SQLite, fail at about 1,000.
 */
const MAX_NESTING = 32;

/** The body of a request, received but not yet checked. */
export interface ReadBody {
  /**
   * The text for the request log, in which bytes that are not UTF-8 are U+FFFD. Null if the body was too
   * large or incomplete.
   */
  readonly text: string | null;
  /**
   * Parses the body as JSON. Throws the reason if it is invalid, so that the caller decides the order of
   * its checks.
   * @throws {ServiceError} body_too_large, invalid_body or unsupported_media_type
   */
  json(): unknown;
}

/**
 * Receives a body of at most `maxBytes` bytes. It is checked and parsed later, by `json()` of the result. An
 * empty body counts as an empty object, so that its missing fields are reported one by one.
 * @param mediaType The type that the request must name. A beacon can only name a few, such as `text/plain`.
 * @throws {Error} if other code has read the body
 */
export async function readJson(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  mediaType = 'application/json',
): Promise<ReadBody> {
  const received = await readBytes(request, maxBytes);
  switch (received.kind) {
    case 'incomplete':
      return refusedBody('invalid_body', 'Request body was incomplete');
    case 'too large':
      return refusedBody(
        'body_too_large',
        `Request body must not be larger than ${maxBytes} bytes`,
      );
    case 'complete':
      return completeBody(received.bytes, request.headers, mediaType);
  }
}

/** Returns a body that cannot be parsed, because not all of it was received. */
function refusedBody(code: 'invalid_body' | 'body_too_large', message: string): ReadBody {
  return {
    text: null,
    json() {
      throw new ServiceError(code, message);
    },
  };
}

function completeBody(bytes: Uint8Array, headers: Headers, mediaType: string): ReadBody {
  const { text, isUtf8 } = decode(bytes);
  return {
    text,
    json() {
      if (text === '') return {};
      assertType(headers.get('content-type'), mediaType);
      assertPlain(headers.get('content-encoding'));
      if (!isUtf8) throw new ServiceError('invalid_body', 'Request body must be valid UTF-8');
      const value = parse(text);
      assertNesting(value);
      return value;
    },
  };
}

/** @throws {ServiceError} invalid_body */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('invalid_body', 'Request body must be valid JSON');
  }
}

/** @throws {ServiceError} invalid_body */
function assertNesting(value: unknown): void {
  if (!isNestedDeeper(value, MAX_NESTING)) return;
  throw new ServiceError(
    'invalid_body',
    `Request body must not have more than ${MAX_NESTING} arrays and objects inside each other`,
  );
}

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isNestedDeeper(part, levels - 1));
}

const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder();

function decode(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  try {
    return { text: strict.decode(bytes), isUtf8: true };
  } catch {
    return { text: lenient.decode(bytes), isUtf8: false };
  }
}

/** @throws {ServiceError} unsupported_media_type if the body is compressed */
function assertPlain(contentEncoding: string | null): void {
  const encoding = contentEncoding?.trim() ?? '';
  if (encoding === '' || /^identity$/i.test(encoding)) return;
  throw new ServiceError(
    'unsupported_media_type',
    `Content-Encoding "${encoding}" is not supported: send the body without compression`,
  );
}

/** @throws {ServiceError} unsupported_media_type */
function assertType(contentType: string | null, mediaType: string): void {
  const [given = ''] = (contentType ?? '').split(';');
  if (given.trim().toLowerCase() !== mediaType)
    throw new ServiceError('unsupported_media_type', `Content-Type must be ${mediaType}`);
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  // RFC 8259 requires UTF-8 and defines no charset. A sender that names another one has probably used it, and
  // its text would be read wrongly.
  throw new ServiceError(
    'unsupported_media_type',
    `Content-Type must be ${mediaType} in UTF-8, got charset "${charset}"`,
  );
}
