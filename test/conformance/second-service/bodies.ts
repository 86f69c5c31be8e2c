import type { Mode } from './model.ts';

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

type Check = readonly [isValid: (value: unknown) => boolean, rule: string];

const text: Check = [(value) => typeof value === 'string', 'must be a string'];
const CREATE: Record<string, Check> = {
  merchantId: text,
  returnUrl: text,
  cancelUrl: text,
  merchantName: text,
  externalUserId: text,
  verificationMode: [(value) => value === 'L1' || value === 'L2', 'must be L1 or L2'],
  challengeAge: [
    (value) => typeof value === 'number' && value >= 25 && value <= 99,
    'must be a number from 25 to 99',
  ],
  faceMatchEnabled: [(value) => typeof value === 'boolean', 'must be a boolean'],
};

export interface CreateBody {
  readonly merchantId?: string;
  readonly returnUrl: string;
  readonly cancelUrl?: string;
  readonly externalUserId?: string;
  readonly verificationMode?: Mode;
  readonly challengeAge?: number;
  readonly faceMatchEnabled?: boolean;
}

export function checkCreateBody(input: unknown): CreateBody {
  check(input, CREATE, 'returnUrl');
  return input as CreateBody;
}

export function checkValidateBody(input: unknown): { readonly sessionId: string } {
  check(input, { sessionId: text }, 'sessionId');
  return input as { sessionId: string };
}

/** @throws {Refusal} with one message for each property that is missing, wrong or unknown */
function check(input: unknown, fields: Record<string, Check>, required: string): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new Refusal(400, ['The body must be a JSON object']);
  const messages: string[] = [];
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(fields, name)) messages.push(`property ${name} should not exist`);
  }
  for (const [name, [isValid, rule]] of Object.entries(fields)) {
    const value = (input as Record<string, unknown>)[name];
    if (value === undefined ? name === required : !isValid(value)) messages.push(`${name} ${rule}`);
  }
  if (messages.length > 0) throw new Refusal(400, messages);
}
