import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { postJson } from '../../support/api.ts';
import { cwd, start, useFolder } from './a-start.ts';

useFolder();

describe('ofage-mock start, on one data file', () => {
  it('moves a file of an older format aside, and says so in one line', async () => {
    const first = start('--json', '--data', 'state.sqlite');
    const before = await first.ready();
    await first.kill('SIGINT');
    const db = new DatabaseSync(join(cwd, 'state.sqlite'));
    db.exec('PRAGMA user_version = 1');
    db.close();

    const second = start('--json', '--quiet', '--data', 'state.sqlite');
    const after = await second.ready();
    const { code, stderr } = await second.kill('SIGINT');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `ofage-mock: The data file "state.sqlite" has an older format. It was moved to "${join(cwd, 'state.sqlite.format-1')}", and the mock starts with an empty state\n`,
    });
    expect(after.secretKey).not.toBe(before.secretKey);
    expect(readdirSync(cwd).sort()).toEqual(['state.sqlite', 'state.sqlite.format-1']);
  });

  it('after kill -9, validates a session that was created before', async () => {
    const first = start('--json', '--data', 'state.sqlite');
    const before = await first.ready();
    const created = await postJson(`${before.apiBase}/sessions/create`, before.secretKey, {
      returnUrl: 'http://localhost/',
      externalUserId: 'customer-1',
    });
    expect(created.status).toBe(201);
    const { sessionId } = created.body;
    const settled = await postJson(`${before.controlBase}/sessions/${sessionId}/outcome`, '', {
      outcome: 'verified',
    });
    expect(settled.status).toBe(200);
    expect(await first.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });

    const second = start('--json', '--data', 'state.sqlite');
    const after = await second.ready();
    expect(after.secretKey).toBe(before.secretKey);
    const validate = () =>
      postJson(`${after.apiBase}/sessions/validate`, before.secretKey, { sessionId });
    expect(await validate()).toMatchObject({
      status: 200,
      body: { verified: true, externalUserId: 'customer-1' },
    });
    expect(await second.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });

    // The session is still marked as used.
    const third = start('--json', '--data', 'state.sqlite');
    const again = await third.ready();
    expect(
      await postJson(`${again.apiBase}/sessions/validate`, before.secretKey, { sessionId }),
    ).toMatchObject({ status: 400, body: { message: 'Session has already been used' } });
  });

  it('keeps every acknowledged session if it is killed under load', async () => {
    const acknowledged: string[] = [];
    let secretKey = '';
    for (let round = 0; round < 3; round += 1) {
      const mock = start('--json', '--data', 'state.sqlite');
      const ready = await mock.ready();
      ({ secretKey } = ready);
      // Raises the rate limits, because rejected requests write nothing.
      await fetch(`${ready.controlBase}/tenants/${ready.tenantId}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"rateLimits":{"create":1000000,"validate":1000000}}',
      });
      const creators = Array.from({ length: 8 }, async () => {
        while (mock.child.signalCode === null) {
          const answer = await postJson(`${ready.apiBase}/sessions/create`, secretKey, {
            returnUrl: 'http://localhost/',
          }).catch(() => null);
          if (answer?.status === 201) acknowledged.push(answer.body.sessionId);
        }
      });
      const enough = acknowledged.length + 20 + 7 * round;
      while (acknowledged.length < enough) await new Promise((resolve) => setTimeout(resolve, 5));
      await mock.kill('SIGKILL');
      await Promise.all(creators);
    }
    expect(acknowledged.length).toBeGreaterThan(50);
    const last = await start('--json', '--data', 'state.sqlite').ready();
    for (const sessionId of acknowledged) {
      const answer = await postJson(`${last.apiBase}/sessions/validate`, secretKey, { sessionId });
      expect(answer).toMatchObject({ status: 200, body: { sessionId, status: 'pending' } });
    }
  });
});
