import { toChecks, toExamples, type Case } from '../case-checks.ts';
import type { Check } from '../check.ts';
import { including, TEXT } from '../matchers.ts';
import { create, created, validateAfter, validated, withPk } from './bodies.ts';

const OTHER_TYPES = {
  number: 5,
  boolean: true,
  object: { a: 1 },
  array: ['https://shop.example/'],
};

const TYPES = Object.entries({
  returnUrl: 'returnUrl must be a URL address',
  cancelUrl: 'cancelUrl must be a URL address',
  merchantName: 'merchantName must be a string',
  externalUserId: 'externalUserId must be a string',
  merchantId: 'merchantId must be a string',
}).map(([field, message]): Case => ({
  id: `${field}.type`,
  sentence: `A value of ${field} that is not a string is refused`,
  examples: toExamples(OTHER_TYPES, (value) => ({ call: create({ [field]: value }) })),
  status: 400,
  message: [message],
}));

/** The fields of the policy: their values, and values that are refused, each with its message. */
const POLICY = {
  challengeAge: {
    phrase: 'a number from 25 to 99',
    valid: { lowest: 25, highest: 99, middle: 30 },
    invalid: [
      [
        'challengeAge must be a number conforming to the specified constraints',
        { string: '30', boolean: true, array: [30], object: {} },
      ],
      [
        'challengeAge must not be less than 25',
        { below: 24, 'just below': 24.9, negative: -30, zero: 0 },
      ],
      ['challengeAge must not be greater than 99', { above: 100, 'just above': 99.1, huge: 1e9 }],
    ],
  },
  verificationMode: {
    phrase: 'L1 or L2',
    valid: { L1: 'L1', L2: 'L2' },
    invalid: [
      [
        'verificationMode must be one of the following values: L1, L2',
        { unknown: 'L3', 'lower case': 'l1', empty: '', number: 1 },
      ],
    ],
  },
  faceMatchEnabled: {
    phrase: 'true or false',
    valid: { on: true, off: false },
    invalid: [
      [
        'faceMatchEnabled must be a boolean value',
        { string: 'false', number: 0, object: { off: true } },
      ],
    ],
  },
} as const satisfies Record<
  string,
  {
    phrase: string;
    valid: Record<string, unknown>;
    invalid: readonly (readonly [message: string, values: Record<string, unknown>])[];
  }
>;

const POLICIES = Object.entries(POLICY).flatMap(([field, { phrase, valid, invalid }]): Case[] => {
  const values: Record<string, unknown> = Object.assign({}, ...invalid.map(([, some]) => some));
  const messages = invalid.flatMap(([message, some]) =>
    Object.keys(some).map((name) => [name, message]),
  );
  const messageOf: Record<string, string> = Object.fromEntries(messages);
  return [
    {
      id: `policy.${field}.invalid`,
      sentence: `With a secret key, a ${field} that is not ${phrase} is refused`,
      examples: toExamples(values, (value, name) => ({
        call: create({ [field]: value }),
        message: [messageOf[name] ?? ''],
      })),
      status: 400,
    },
    {
      id: `policy.${field}.invalid.ignored`,
      sentence: `With a publishable key, a ${field} that is not ${phrase} is ignored`,
      level: 'reading',
      examples: toExamples(values, (value) => ({ call: create({ [field]: value }, withPk) })),
      status: 201,
      body: created(),
    },
    {
      id: `policy.${field}.stored`,
      sentence: `With a secret key, the ${field} is stored with the session`,
      examples: toExamples<unknown>(valid, (value) => ({
        call: validateAfter(undefined, { [field]: value }),
        body: validated('pending', { [field]: value }),
      })),
      status: 200,
    },
  ];
});

const UNKNOWN: readonly Case[] = [
  {
    id: 'unknown',
    sentence: 'An unknown property is refused, and the message lists it',
    examples: toExamples(
      Object.fromEntries(
        [
          'sessionToken',
          'minAge',
          'estimatedAge',
          'status',
          'returnURL',
          'ReturnUrl',
          'constructor',
          'toString',
        ].map((name) => [name, name]),
      ),
      (name) => ({
        call: create({ [name]: 'x' }),
        message: [`property ${name} should not exist`],
      }),
    ),
    status: 400,
    messageLevel: 'must',
  },
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
    level: 'reading',
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

const OPTIONAL = Object.fromEntries(
  ['externalUserId', 'cancelUrl', 'merchantName', 'merchantId', ...Object.keys(POLICY)].map(
    (name) => [name, name],
  ),
);

const ACCEPTED: readonly Case[] = [
  {
    id: 'null',
    sentence: 'An optional field counts as missing if it is null',
    level: 'reading',
    examples: toExamples(OPTIONAL, (field) => ({ call: create({ [field]: null }) })),
    status: 201,
    body: created(),
  },
  {
    id: 'externalUserId',
    sentence: 'The externalUserId is returned unchanged',
    examples: toExamples(
      {
        plain: 'anna',
        'not ASCII': 'käufer-1',
        decomposed: 'ka\u0308ufer-1',
        'replacement character': 'a\ufffdb',
        emoji: '👩‍🦰',
        markup: '<b>&amp;"',
        spaces: ' a b ',
        'upper case': 'ANNA',
        digits: '007',
      },
      (externalUserId) => ({ call: create({ externalUserId }), body: created({ externalUserId }) }),
    ),
    status: 201,
  },
  {
    id: 'externalUserId.extremes',
    sentence: 'An externalUserId that is empty or has 200 characters is returned unchanged',
    level: 'reading',
    examples: toExamples({ empty: '', long: 'x'.repeat(200) }, (externalUserId) => ({
      call: create({ externalUserId }),
      body: created({ externalUserId }),
    })),
    status: 201,
  },
  {
    id: 'externalUserId.publishable-key',
    sentence: 'A publishable key may set the externalUserId',
    call: create({ externalUserId: 'anna' }, withPk),
    status: 201,
    body: created({ externalUserId: 'anna' }),
  },
  {
    id: 'policy.faceMatchEnabled.off',
    sentence: 'With a secret key, face match can be turned off',
    call: create({ faceMatchEnabled: false }),
    status: 201,
    body: created({ faceMatchEnabled: false }),
  },
  {
    id: 'policy.challengeAge.fraction',
    sentence: 'A challengeAge with a fraction is stored as it is',
    level: 'reading',
    call: validateAfter(undefined, { challengeAge: 30.5 }),
    status: 200,
    body: validated('pending', { challengeAge: 30.5 }),
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
  ...TYPES,
  ...POLICIES,
  ...UNKNOWN,
  ...ACCEPTED,
]);
