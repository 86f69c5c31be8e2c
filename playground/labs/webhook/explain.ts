import type { ExplainInput } from 'ofage/mock';
import { SIGNATURE_HEADER } from './signature.ts';

/** A webhook as pasted by the user. */
export interface Pasted {
  readonly body: string;
  /** The header's value, its whole line, or all headers. */
  readonly header: string;
  readonly secret: string;
}

/**
 * Converts the pasted webhook to the request for an explanation. If all lines have the form `name: value`,
 * they are headers. Any other text is the value of the signature header.
 */
export function toExplainRequest({ body, header, secret }: Pasted): ExplainInput {
  const lines = header.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([!#$%&'*+.^`|~\w-]+):[ \t]?(.*?)\r?$/.exec(line));
  const isHeaders = pairs.length > 0 && pairs.every((pair) => pair !== null);
  const headers = isHeaders
    ? Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
    : header === ''
      ? {}
      : { [SIGNATURE_HEADER]: header };
  return { body, headers, ...(secret === '' ? {} : { secret }) };
}

/** The advice for each finding of the explanation. */
const ADVICE: Readonly<Record<string, string>> = {
  header_missing:
    'Check the request before it reaches a proxy. If the header is missing there too, give the endpoint a secret.',
  wrong_header: `Read ${SIGNATURE_HEADER}; header names are not case-sensitive.`,
  prefix_missing: 'Compare the whole header value with "sha256=" followed by your digest.',
  prefix_case: 'Use the header as received. Its prefix is in lower case.',
  digest_upper_case:
    'Write your digest as lower-case hex: digest("hex") in Node, hexdigest in Python and Ruby.',
  digest_base64: 'Write your digest as hex: digest("hex"), and not digest("base64").',
  digest_malformed: 'Copy the header again: 64 hex digits must follow "sha256=".',
  header_whitespace: 'Trim the value and remove quotes before you compare.',
  wrong_secret:
    'Every endpoint has its own secret. Use the secret of the endpoint that received this webhook.',
  old_secret:
    'Configure the new secret on your server. It was shown once, when the secret was changed.',
  secret_mistyped: 'Copy the secret again from where you saved it.',
  secret_quoted: 'Remove the quotes where you set the secret, for example in your .env file.',
  secret_prefix_missing: 'Use the whole secret, whsec_ included.',
  signed_before_rotation: 'Redeliver the webhook. Later attempts are signed with the new secret.',
  secret_replaced: 'Nothing is wrong with this webhook. Configure the new secret on your server.',
  endpoint_deleted:
    'Nothing more is sent for this endpoint. Verify with the secret that it had, or ignore the webhook.',
  secret_whitespace:
    'Trim the secret when you read it: a line break at the end of a file or a variable counts.',
  body_empty: 'Read the raw body once, before any parser: a stream that was already read is empty.',
  body_swapped: 'Use the body and the header of the same request.',
  body_reserialised:
    'Verify the bytes as received: express.raw(), request.text(), or your framework’s raw body.',
  body_whitespace:
    'Verify the bytes as received. Even a line break at the end changes the signature.',
  body_changed: 'Treat this webhook as an attack: respond with 401 and do nothing else.',
  test_unknown: 'Send the test event again and compare the new webhook.',
  unknown_secret:
    'Copy the body and the header from the same request. If they still do not match, reject the webhook, because another service may have signed it.',
};

export function adviceFor(code: string): string {
  return ADVICE[code] ?? 'Compare what you verify with the bytes that were sent.';
}
