import { SIGNATURE_HEADER } from './signature.ts';

/** A problem with a signature, or a note about it. */
export interface Finding {
  readonly code: FindingCode;
  readonly message: string;
}

/** The codes of the reasons why a signature does not verify, and of the notes on one that does. */
export type FindingCode =
  | 'header_missing'
  | 'wrong_header'
  | 'prefix_missing'
  | 'prefix_case'
  | 'digest_upper_case'
  | 'digest_base64'
  | 'digest_malformed'
  | 'header_whitespace'
  | 'secret_whitespace'
  | 'secret_quoted'
  | 'secret_prefix_missing'
  | 'secret_mistyped'
  | 'wrong_secret'
  | 'old_secret'
  | 'signed_before_rotation'
  | 'secret_replaced'
  | 'endpoint_deleted'
  | 'body_empty'
  | 'body_reserialised'
  | 'body_whitespace'
  | 'body_changed'
  | 'body_swapped'
  | 'test_unknown'
  | 'unknown_secret';

/** The names that a message mentions. A label is the address of an endpoint. */
export interface FindingFacts {
  /** The label of the endpoint that the webhook was signed for. */
  readonly signer?: string;
  /** The label of the endpoint whose secret was given. */
  readonly owner?: string;
}

export function toFinding(code: FindingCode, facts: FindingFacts = {}): Finding {
  return { code, message: SENTENCES[code](facts) };
}

/** Tells whether the signature verifies in spite of the finding. */
export function isNote({ code }: Finding): boolean {
  return code === 'secret_replaced' || code === 'endpoint_deleted';
}

const ENDPOINT = 'the endpoint';

const SENTENCES: Readonly<Record<FindingCode, (facts: FindingFacts) => string>> = {
  header_missing: () =>
    `There is no ${SIGNATURE_HEADER} header: the endpoint has no secret, or a proxy removed the header`,
  wrong_header: () =>
    `The signature is in another header. The service sends it as ${SIGNATURE_HEADER}`,
  prefix_missing: () => 'The value must begin with sha256=, followed by the digest',
  prefix_case: () => 'The prefix must be sha256= in lower case',
  digest_upper_case: () =>
    'The digest must be in lower-case hex, but this one has upper-case letters',
  digest_base64: () => 'The digest must be in hex, but this one is in base64',
  digest_malformed: () => 'The digest must be 64 hex digits',
  header_whitespace: () =>
    'There are spaces or quotes around the value. Remove them before you compare',

  secret_whitespace: () =>
    'The secret you gave has spaces or a line break around it, which are not part of the secret',
  secret_quoted: () => 'The secret you gave is in quotes, which are not part of the secret',
  secret_prefix_missing: () =>
    'The secret you gave lacks its first characters, whsec_, which are part of the secret',
  secret_mistyped: () =>
    'The secret you gave is not the secret of any endpoint. It may be mistyped, cut short, or one that was replaced before it signed anything',
  wrong_secret: ({ signer = ENDPOINT, owner = 'another endpoint' }) =>
    `The secret you gave belongs to ${owner}, but this webhook was signed with the secret of ${signer}`,
  old_secret: ({ signer = ENDPOINT }) =>
    `The secret you gave is an old one. The secret of ${signer} has been changed, and this webhook was signed with the new one`,
  signed_before_rotation: ({ signer = ENDPOINT }) =>
    `This webhook was sent before the secret of ${signer} was changed, so it is signed with the old secret`,
  secret_replaced: ({ signer = ENDPOINT }) =>
    `The secret of ${signer} was changed after this webhook was sent. Later events are signed with the new one`,
  endpoint_deleted: ({ signer = ENDPOINT }) =>
    `This webhook was signed for ${signer}, an endpoint that has been deleted`,

  body_empty: () =>
    'The body is empty here, but it was not when it was sent. Something, such as a JSON parser, has already read it: verify the raw bytes',
  body_reserialised: () =>
    'The body was parsed and serialised again: verify the raw bytes, before any JSON parser reads them',
  body_whitespace: () =>
    'Only white space in the body differs from what was sent: verify the raw bytes',
  body_changed: () => 'This service sent the body, but its content has been changed since',
  body_swapped: () =>
    'The signature belongs to a different webhook. The service sent it with a body about another session or event',

  test_unknown: () =>
    'This is a test event that the service no longer knows. It keeps the last 100 test events until it is restarted',
  unknown_secret: () => 'No secret that the service knows produces this signature for this body',
};
