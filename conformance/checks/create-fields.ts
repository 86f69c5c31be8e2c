import { toChecks, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { including, TEXT } from '../matchers.ts';
import { create, created, withPk } from './bodies.ts';

/** Values that are not strings, each with the name of its type. */
const OTHER_TYPES: readonly (readonly [type: string, value: unknown])[] = [
  ['number', 5],
  ['boolean', true],
  ['object', { a: 1 }],
  ['array', ['https://shop.example/']],
];

const NOT_A_STRING = OTHER_TYPES.flatMap(([type, value]) =>
  (
    [
      ['returnUrl', 'returnUrl must be a URL address'],
      ['cancelUrl', 'cancelUrl must be a URL address'],
      ['merchantName', 'merchantName must be a string'],
      ['externalUserId', 'externalUserId must be a string'],
      ['merchantId', 'merchantId must be a string'],
    ] as const
  ).map(([field, message]): Case => ({
    id: `${field}.${type}`,
    sentence: `If ${field} is a JSON ${type}, the request is refused, because the field must be a string`,
    call: create({ [field]: value }),
    status: 400,
    message: [message],
  })),
);

const NOT_A_NUMBER = 'challengeAge must be a number conforming to the specified constraints';

const POLICY_MISTAKES = (
  [
    ['challengeAge', 'string', '30', NOT_A_NUMBER],
    ['challengeAge', 'boolean', true, NOT_A_NUMBER],
    ['challengeAge', 'array', [30], NOT_A_NUMBER],
    ['challengeAge', 'object', {}, NOT_A_NUMBER],
    ['challengeAge', 'below', 24, 'challengeAge must not be less than 25'],
    ['challengeAge', 'just-below', 24.9, 'challengeAge must not be less than 25'],
    ['challengeAge', 'negative', -30, 'challengeAge must not be less than 25'],
    ['challengeAge', 'zero', 0, 'challengeAge must not be less than 25'],
    ['challengeAge', 'above', 100, 'challengeAge must not be greater than 99'],
    ['challengeAge', 'just-above', 99.1, 'challengeAge must not be greater than 99'],
    ['challengeAge', 'huge', 1e9, 'challengeAge must not be greater than 99'],
    [
      'verificationMode',
      'unknown',
      'L3',
      'verificationMode must be one of the following values: L1, L2',
    ],
    [
      'verificationMode',
      'lower-case',
      'l1',
      'verificationMode must be one of the following values: L1, L2',
    ],
    [
      'verificationMode',
      'empty',
      '',
      'verificationMode must be one of the following values: L1, L2',
    ],
    [
      'verificationMode',
      'number',
      1,
      'verificationMode must be one of the following values: L1, L2',
    ],
    ['faceMatchEnabled', 'string', 'false', 'faceMatchEnabled must be a boolean value'],
    ['faceMatchEnabled', 'number', 0, 'faceMatchEnabled must be a boolean value'],
    ['faceMatchEnabled', 'object', { off: true }, 'faceMatchEnabled must be a boolean value'],
  ] as const
).flatMap(([field, mistake, value, message]): Case[] => [
  {
    id: `policy.${field}.${mistake}`,
    sentence: `With a secret key, the value ${JSON.stringify(value)} of ${field} is refused`,
    call: create({ [field]: value }),
    status: 400,
    message: [message],
  },
  {
    id: `policy.${field}.${mistake}.ignored`,
    sentence: `With a publishable key, the value ${JSON.stringify(value)} of ${field} is ignored`,
    level: 'reading',
    call: create({ [field]: value }, withPk),
    status: 201,
    body: created(),
  },
]);

const POLICY_VALUES = (
  [
    ['challengeAge', 'lowest', 25],
    ['challengeAge', 'highest', 99],
    ['challengeAge', 'middle', 30],
    ['verificationMode', 'L1', 'L1'],
    ['verificationMode', 'L2', 'L2'],
    ['faceMatchEnabled', 'on', true],
  ] as const
).map(([field, name, value]): Case => ({
  id: `policy.${field}.${name}`,
  sentence: `With a secret key, the value ${JSON.stringify(value)} of ${field} is accepted`,
  call: create({ [field]: value }),
  status: 201,
  body: created(),
}));

/** Unknown properties. Each is listed in the message. */
const UNKNOWN = [
  'sessionToken',
  'minAge',
  'estimatedAge',
  'status',
  'returnURL',
  'ReturnUrl',
  'constructor',
  'toString',
].map((name): Case => ({
  id: `unknown.${name}`,
  sentence: `The unknown property ${name} is refused, and the message lists it`,
  call: create({ [name]: 'x' }),
  status: 400,
  message: [`property ${name} should not exist`],
  messageLevel: 'must',
}));

const SEVERAL: readonly Case[] = [
  {
    id: 'unknown.several',
    sentence: 'The message lists all unknown properties',
    call: create({ sessionToken: 'x', minAge: 18, test: true }),
    status: 400,
    also: {
      message: including(
        'property sessionToken should not exist',
        'property minAge should not exist',
        'property test should not exist',
      ),
    },
  },
  {
    id: 'unknown.publishable-key',
    sentence:
      'With a publishable key, an invalid policy is ignored, but other mistakes are refused',
    call: create({ challengeAge: 5, minAge: 18, merchantName: 1 }, withPk),
    status: 400,
    message: ['property minAge should not exist', 'merchantName must be a string'],
  },
  {
    id: 'several-mistakes',
    sentence: 'All mistakes are reported at once, unknown properties first',
    call: create({
      sessionToken: 'x',
      returnUrl: 5,
      cancelUrl: 'nowhere',
      merchantName: 1,
      externalUserId: {},
      verificationMode: 'L3',
      challengeAge: 18,
      faceMatchEnabled: 'yes',
      minAge: 18,
    }),
    status: 400,
    message: [
      'property sessionToken should not exist',
      'property minAge should not exist',
      'returnUrl must be a URL address',
      'cancelUrl must be a URL address',
      'merchantName must be a string',
      'externalUserId must be a string',
      'verificationMode must be one of the following values: L1, L2',
      'challengeAge must not be less than 25',
      'faceMatchEnabled must be a boolean value',
    ],
  },
];

const ACCEPTED: readonly Case[] = [
  ...[
    'externalUserId',
    'cancelUrl',
    'merchantName',
    'merchantId',
    'challengeAge',
    'verificationMode',
    'faceMatchEnabled',
  ].map((field): Case => ({
    id: `${field}.null`,
    sentence: `The field ${field} counts as missing if it is null`,
    level: 'reading',
    call: create({ [field]: null }),
    status: 201,
    body: created(),
  })),
  ...(
    [
      ['plain', 'anna'],
      ['not-ascii', 'käufer-1'],
      ['replacement-character', 'a\ufffdb'],
      ['emoji', '👩‍🦰'],
      ['markup', '<b>&amp;"'],
      ['spaces', ' a b '],
      ['long', 'x'.repeat(200)],
    ] as const
  ).map(([name, externalUserId]): Case => ({
    id: `externalUserId.${name}`,
    sentence: `The externalUserId is returned unchanged (${name})`,
    call: create({ externalUserId }),
    status: 201,
    body: created({ externalUserId }),
  })),
  {
    id: 'externalUserId.publishable-key',
    sentence: 'A publishable key may set the externalUserId',
    call: create({ externalUserId: 'anna' }, withPk),
    status: 201,
    body: created({ externalUserId: 'anna' }),
  },
  {
    id: 'merchantName.accepted',
    sentence: 'A merchantName is accepted',
    call: create({ merchantName: 'Wine & Co' }),
    status: 201,
    body: created(),
  },
  {
    id: 'policy.faceMatchEnabled.off',
    sentence: 'With a secret key, face match can be turned off',
    call: create({ faceMatchEnabled: false }),
    status: 201,
    body: created({ faceMatchEnabled: false }),
  },
  {
    id: 'policy.faceMatchEnabled.off.ignored',
    sentence:
      'With a publishable key, faceMatchEnabled: false is ignored: the session is created with face match',
    call: create({ faceMatchEnabled: false, challengeAge: 99 }, withPk),
    status: 201,
    body: created(),
  },
  {
    id: 'policy.invalid.ignored',
    sentence: 'With a publishable key, a policy with several mistakes is ignored',
    level: 'reading',
    call: create(
      { verificationMode: 'L3', challengeAge: 5, faceMatchEnabled: { off: true } },
      withPk,
    ),
    status: 201,
    body: created(),
  },
  {
    id: 'all-fields',
    sentence: 'A secret key may set every optional field',
    call: async (world) =>
      create({
        merchantId: await world.tenantId(),
        cancelUrl: world.account.returnUrl,
        merchantName: 'Wine & Co',
        externalUserId: 'käufer-1',
        verificationMode: 'L2',
        challengeAge: 30,
        faceMatchEnabled: false,
      })(world),
    status: 201,
    body: created({ externalUserId: 'käufer-1', faceMatchEnabled: false, sessionId: TEXT }),
  },
];

/** Checks of the fields of a create request, their types and their values. */
export const CREATE_FIELD_CHECKS: readonly Check[] = toChecks('POST /sessions/create', 'create', [
  ...NOT_A_STRING,
  ...POLICY_MISTAKES,
  ...POLICY_VALUES,
  ...UNKNOWN,
  ...SEVERAL,
  ...ACCEPTED,
]);
