/** A refusal of a request. The server converts it to the body of the response. */
export class Refusal extends Error {
  readonly status: number;
  readonly messages: string | readonly string[];
  readonly code: string | undefined;

  constructor(status: number, messages: string | readonly string[], code?: string) {
    super(String(messages));
    this.status = status;
    this.messages = messages;
    this.code = code;
  }
}

type Guards = Readonly<Record<string, (value: unknown) => boolean>>;
/** The type of the properties that have passed these guards. */
type Values<G> = {
  [Name in keyof G]: G[Name] extends (value: unknown) => value is infer T ? T : never;
};

const isText = (value: unknown) => typeof value === 'string';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const isMode = (value: unknown) => value === 'L1' || value === 'L2';
const isAge = (value: unknown): value is number =>
  typeof value === 'number' && value >= 25 && value <= 99;

export type CreateBody = ReturnType<typeof parseCreateBody>;
export function parseCreateBody(input: unknown) {
  const optional = {
    merchantId: isText,
    cancelUrl: isText,
    merchantName: isText,
    externalUserId: isText,
    verificationMode: isMode,
    challengeAge: isAge,
    faceMatchEnabled: isBoolean,
  };
  return parseBody(input, { returnUrl: isText }, optional);
}

export function parseValidateBody(input: unknown) {
  return parseBody(input, { sessionId: isText }, {});
}

/** @throws {Refusal} with one message for each property that is missing, wrong or unknown */
function parseBody<R extends Guards, O extends Guards>(input: unknown, required: R, optional: O) {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Refusal(400, ['The body must be a JSON object']);
  const guards = new Map(Object.entries({ ...optional, ...required }));
  const missing = Object.keys(required).filter((name) => !Object.hasOwn(input, name));
  const messages = missing.map((name) => `${name} is missing`);
  for (const [name, value] of Object.entries(input)) {
    const isValid = guards.get(name);
    if (!isValid) messages.push(`property ${name} should not exist`);
    else if (!isValid(value)) messages.push(`${name} has a wrong value`);
  }
  if (messages.length > 0) throw new Refusal(400, messages);
  return input as Values<R> & Partial<Values<O>>;
}
