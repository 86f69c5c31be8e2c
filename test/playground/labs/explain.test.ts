import { beforeAll, describe, expect, it } from 'vitest';
import { createMockService, type MockService } from 'ofage/mock';
import {
  EXAMPLES,
  madeUpWebhook,
  toExample,
  type SignedWebhook,
} from '../../../playground/labs/webhook/examples.ts';
import { toExplainRequest } from '../../../playground/labs/webhook/explain.ts';
import { openLab } from './a-lab.ts';

const CODES = {
  right: [],
  reserialised: ['body_reformatted'],
  no_prefix: ['header_malformed'],
  newline: ['body_reformatted'],
  wrong_secret: ['unknown_secret'],
  old_secret: ['unknown_secret'],
} as const;

/** Codes that the service finds only because it knows the endpoint's secret. */
const KNOWN = { wrong_secret: ['wrong_secret'] } as const;

const explain = async (service: MockService, pasted: Parameters<typeof toExplainRequest>[0]) =>
  service.control.explainWebhook(toExplainRequest(pasted));

describe('the example', () => {
  it.each(EXAMPLES)('has the expected findings with an invented webhook: "$id"', async ({ id }) => {
    const pasted = await toExample(id, await madeUpWebhook());
    const { findings, isValid } = await explain(createMockService(), pasted);
    expect(findings.map(({ code }) => code)).toEqual(CODES[id]);
    expect(isValid).toBe(id === 'right');
  });

  describe('with a delivered webhook', () => {
    let service: MockService;
    let right: SignedWebhook;
    beforeAll(async () => {
      const lab = await openLab();
      ({ service } = lab);
      const { id } = await lab.client.trigger({ name: 'verified' });
      await lab.client.clock.advance(1);
      const response = await lab.shop(`lab/captured?sessionId=${id}`);
      const { items } = (await response.json()) as {
        items: { bodyBase64: string; headers: [string, string][] }[];
      };
      const { bodyBase64, headers } = items[0]!;
      const signature = new Headers(headers).get('x-ofage-signature')!;
      right = { body: atob(bodyBase64), signature, secret: lab.demo.webhookSecret! };
    });

    it.each(EXAMPLES)('has the expected findings: "$id"', async ({ id }) => {
      const { findings } = await explain(service, await toExample(id, right));
      const codes = { ...CODES, ...KNOWN }[id];
      expect(findings.map(({ code }) => code)).toEqual(codes);
    });
  });
});

describe('toExplainRequest()', () => {
  const BODY = '{}';
  it.each([
    {
      header: 'sha256=ab',
      headers: { 'x-ofage-signature': 'sha256=ab' },
      why: 'the value of a header',
    },
    {
      header: ' "sha256=ab" ',
      headers: { 'x-ofage-signature': ' "sha256=ab" ' },
      why: 'a value with quotes and spaces',
    },
    {
      header: 'X-OfAge-Signature: sha256=ab',
      headers: { 'X-OfAge-Signature': 'sha256=ab' },
      why: 'one header line',
    },
    {
      header: 'Host: a\r\nX-Signature: sha256=ab\r\n',
      headers: { Host: 'a', 'X-Signature': 'sha256=ab' },
      why: 'several header lines',
    },
    { header: '', headers: {}, why: 'an empty text' },
  ])('parses $why', ({ header, headers }) => {
    expect(toExplainRequest({ body: BODY, header, secret: '' })).toEqual({ body: BODY, headers });
  });
});
