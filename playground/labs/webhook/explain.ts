import type { ExplainInput, FindingCode } from 'ofage/mock';
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
export const ADVICE: Readonly<Record<FindingCode, string>> = {
  header_missing: `Read ${SIGNATURE_HEADER}. If it is missing before a proxy too, give the endpoint a secret.`,
  header_malformed:
    'Compare the whole value with "sha256=" and your digest in lower-case hex: digest("hex") in Node, hexdigest in Python and Ruby.',
  secret_malformed:
    'Use the whole secret, whsec_ included. Trim it when you read it, and remove quotes where you set it.',
  wrong_secret:
    'Every endpoint has its own secret. Copy the current one of the endpoint that received this webhook.',
  secret_replaced:
    'Redeliver the webhook. Later attempts are signed with the new secret. Ignore it if you deleted the endpoint.',
  body_empty: 'Read the raw body once, before any parser: a stream that was already read is empty.',
  body_reformatted:
    'Verify the bytes as received: express.raw(), request.text(), or your framework’s raw body.',
  body_changed:
    'Use the body and the header of the same request. If they are, respond with 401 and do nothing else.',
  unknown_secret:
    'Copy the body and the header from the same request. If they still do not match, reject the webhook, because another service may have signed it.',
};
