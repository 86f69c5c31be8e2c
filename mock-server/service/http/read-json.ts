import { ServiceError } from '../../store/errors.ts';
import { MAX_BODY_BYTES, readBytes } from './read-body.ts';

/**
 * Maximum number of arrays and objects inside each other in a body. The deepest valid one, a snapshot, has
 * six. Recursive functions, and the JSON functions of SQLite, fail at about 1,000.
 */
const MAX_NESTING = 32;

/** The unchecked body of a request. */
export interface ReadBody {
  /** Null if the body was too large or incomplete. Bytes that are not UTF-8 become U+FFFD. */
  readonly text: string | null;
  /**
   * Parses the body as JSON. Throws the reason if it is invalid, so that the caller decides the order of
   * its checks.
   */
  json(): unknown;
}

/**
 * Reads at most `maxBytes` bytes. An empty body counts as an empty object, so that its missing fields are
 * reported one by one.
 * @param mediaType The type that the request must name. A beacon can only name a few, such as `text/plain`.
 */
export async function readJson(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  mediaType = 'application/json',
): Promise<ReadBody> {
  // A client that disconnects is not a failure of the service, so the error is ignored.
  const bytes = await readBytes(request, maxBytes).catch(() => undefined);
  const { text, isUtf8 } = decode(bytes);
  const json = (): unknown => {
    if (bytes === undefined) throw new ServiceError('invalid_body', 'Request body was incomplete');
    if (text === null) {
      throw new ServiceError(
        'body_too_large',
        `Request body must not be larger than ${maxBytes} bytes`,
      );
    }
    if (text === '') return {};
    assertType(request.headers.get('content-type'), mediaType);
    assertPlain(request.headers.get('content-encoding'));
    if (!isUtf8) throw new ServiceError('invalid_body', 'Request body must be valid UTF-8');
    const value = parse(text);
    if (isNestedDeeper(value, MAX_NESTING)) {
      throw new ServiceError(
        'invalid_body',
        `Request body must not have more than ${MAX_NESTING} arrays and objects inside each other`,
      );
    }
    return value;
  };
  return { text, json };
}

/** @throws {ServiceError} invalid_body */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError('invalid_body', 'Request body must be valid JSON');
  }
}

function isNestedDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isNestedDeeper(part, levels - 1));
}

const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder();

function decode(bytes: Uint8Array | null | undefined): { text: string | null; isUtf8: boolean } {
  if (!bytes) return { text: null, isUtf8: false };
  try {
    return { text: strict.decode(bytes), isUtf8: true };
  } catch {
    // The text is shown only in the request log.
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
  // RFC 8259: JSON between systems is UTF-8, and a charset parameter has no meaning.
  throw new ServiceError(
    'unsupported_media_type',
    `Content-Type must be ${mediaType} in UTF-8, got charset "${charset}"`,
  );
}
