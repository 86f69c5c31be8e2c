import { readJson, type Json } from '../broken-services/broken-service.ts';
import type { Distortion } from './distortion.ts';

const HEADERS = [
  'content-type',
  'allow',
  'access-control-allow-origin',
  'x-ratelimit-limit',
  'x-ratelimit-window',
  'x-ratelimit-remaining',
  'x-ratelimit-retry-after',
];

/** The fields of sessions, of results and of errors. */
const FIELDS = [
  'sessionId sessionToken handoffToken verifyUrl expiresAt testMode sandboxMode externalUserId',
  'faceMatchEnabled billingBlock',
  'merchantId verified accessGranted status verificationMode challengeAge timestamp estimatedAge',
  'statusCode message error path code',
].flatMap((names) => names.split(' '));

/** Other statuses that a careless service might use. */
const OTHER_STATUS: Readonly<Record<number, number>> = {
  200: 201,
  201: 200,
  204: 200,
  400: 422,
  401: 403,
  403: 401,
};

function withStatus({ status, body, headers }: Response, other = status): Response {
  return new Response(status === 204 ? null : body, { status: other, headers });
}

/** Returns the response with other fields in its JSON body. Any other body is left alone. */
async function withFields(response: Response, change: (json: Json) => Json): Promise<Response> {
  const { status, headers } = response;
  if (!headers.get('content-type')?.includes('json')) return response;
  const json = await readJson(response);
  return new Response(JSON.stringify({ ...json, ...change(json) }), { status, headers });
}

/** Responses with one wrong part. */
export const ANSWERS: readonly Distortion[] = [
  {
    name: 'status',
    answer: (response) => withStatus(response, OTHER_STATUS[response.status] ?? 400),
  },
  ...HEADERS.map((name): Distortion => ({
    name: `header ${name}`,
    answer(response) {
      const changed = withStatus(response);
      changed.headers.set(name, 'other');
      return changed;
    },
  })),
  ...FIELDS.map((name): Distortion => ({
    name: `.${name}`,
    answer: (response) =>
      withFields(response, (json) => ({ [name]: json[name] === null ? 'other' : null })),
  })),
  {
    name: 'repeats keys and tokens',
    answer: (response, { texts }) => withFields(response, () => ({ seen: texts.join('\n') })),
  },
];
