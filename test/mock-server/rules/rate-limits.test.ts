import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { countRequest, WINDOW_MS } from '../../../mock-server/rules/keys.ts';
import { createTenant } from '../../../mock-server/rules/tenants.ts';
import { Db } from '../../../mock-server/store/db.ts';
import { systemRandom, toUuid } from '../../../mock-server/store/random.ts';

it('countRequest() allows requests up to the limit in each window of one minute (property)', () => {
  const gaps = fc.array(fc.oneof(fc.nat({ max: 30_000 }), fc.constantFrom(0, 1, 59_999, 60_000)), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 5 }), (gapsMs, limit) => {
      const db = new Db();
      const tenant = createTenant(
        db,
        { rateLimits: { create: limit } },
        { nowMs: 0, random: systemRandom },
        toUuid(systemRandom),
      );
      let nowMs = 0;
      let opened: number | null = null;
      let passed = 0;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        if (opened === null || nowMs - opened >= WINDOW_MS) {
          opened = nowMs;
          passed = 0;
        }
        if (passed < limit) passed += 1;
        else passed = limit + 1;
        const isOver = passed > limit;
        expect(countRequest(db, tenant, 'create', nowMs)).toEqual({
          limit,
          remaining: isOver ? 0 : limit - passed,
          retryAfterMs: isOver ? opened + WINDOW_MS - nowMs : null,
        });
      }
      // A different operation has a separate bucket.
      expect(countRequest(db, tenant, 'validate', nowMs)).toMatchObject({ remaining: 99 });
    }),
  );
});
