import { WEBHOOK_SIGNATURE_HEADER } from 'ofage/server';
import { expect, it } from 'vitest';
import { API_BASES, NAMESPACE } from '../../src/brand.ts';
import { API_BASE } from '../../src/server/brand.ts';

it('the server kit has the same base URL and signature header as the SDK, without importing it', () => {
  expect(API_BASE).toBe(API_BASES.production);
  expect(WEBHOOK_SIGNATURE_HEADER).toBe(`x-${NAMESPACE}-signature`);
});
