import { describe, expect, it } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { createSession, ofageMock, results, server, useServer } from './a-command-line.ts';

useServer();

describe('trigger', () => {
  it.each([
    ['failed_image_quality', { status: 'failed', reason: 'image_quality' }],
    ['session.timeout', { status: 'expired', reason: null }],
  ])('%s creates a session that has ended so', async (name, ended) => {
    const [{ session }] = (await results(`trigger ${name}`)) as [{ session: object }];
    expect(session).toMatchObject(ended);
  });

  it('creates the session with the given options', async () => {
    const [{ session }] = (await results('trigger verified --user anna --mode L2 --age 40')) as [
      any,
    ];
    expect(session).toMatchObject({
      externalUserId: 'anna',
      verificationMode: 'L2',
      challengeAge: 40,
    });
  });

  it('creates the session in the account that is given by name or id', async () => {
    const { id } = await server.control.createTenant({ name: 'Wine' });
    await server.control.createKeyPair(id);
    for (const wanted of ['Wine', id]) {
      const [{ session }] = (await results(`trigger verified --tenant ${wanted}`)) as [any];
      expect(session.tenantId).toBe(id);
    }
  });

  it('sends the webhooks, and prints their addresses', async () => {
    const receiver = await startReceiver();
    try {
      await server.control.createEndpoint(server.tenantId, { url: receiver.url });
      const { code, stdout } = await ofageMock('trigger verified');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Session +[0-9a-f-]{36}$/m);
      expect(stdout).toMatch(/^Status +verified$/m);
      expect(stdout).toMatch(/^Events +session.started, verification.completed$/m);
      expect(stdout).toContain(`Webhooks  ${receiver.url}\n`);
      await receiver.waitFor(2);
    } finally {
      await receiver.close();
    }
  });

  it('explains why it cannot create a session', async () => {
    const pairs = await server.control.keyPairs(server.tenantId);
    await server.control.setKeyStatus(pairs[0]!.secret.id, 'revoked');
    expect(await ofageMock('trigger verified')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ofage-mock: Cannot trigger the scenario: the account "Demo shop" has no active key pair\n',
    });
  });
});

describe('settle', () => {
  it('ends a pending session', async () => {
    const id = await createSession();
    const { code, stdout } = await ofageMock(`settle ${id} failed_image_quality`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status +failed \(image_quality\)$/m);
    expect(await server.control.session(id)).toMatchObject({ status: 'failed' });
  });

  it('prints the error of the service if it cannot settle the session', async () => {
    const id = await createSession();
    await ofageMock(`settle ${id} verified`);
    expect(await ofageMock(`settle ${id} verified`)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'ofage-mock: Cannot settle the session: The session is no longer pending: its status is verified\n',
    });
    const { stderr } = await ofageMock('settle ../clock verified');
    expect(stderr).toContain('Cannot settle the session: Session not found');
  });
});

describe('clock', () => {
  it('shows, freezes, moves and resumes the clock', async () => {
    const [running] = await results('clock');
    expect(running).toMatchObject({ frozen: false, nextDue: null });
    const [frozen] = await results('clock freeze');
    expect(frozen).toMatchObject({ frozen: true });
    const [advanced] = await results('clock advance 1h30m');
    expect(Date.parse(advanced.now) - Date.parse(frozen.now)).toBe(5_400_000);
    const [set] = await results('clock set 2100-01-01T00:00:00Z');
    expect(set.now).toBe('2100-01-01T00:00:00.000Z');
    const [resumed] = await results('clock resume');
    expect(resumed).toMatchObject({ frozen: false });
  });

  it('prints the time of the next due job, and moves to it', async () => {
    await results('clock freeze');
    const id = await createSession();
    const { stdout } = await ofageMock('clock');
    expect(stdout).toMatch(/^Now +\S+ \(frozen\)\nNext due +\S+Z \(in 10m\)\n$/);
    await results('clock next');
    expect(await server.control.session(id)).toMatchObject({ status: 'expired' });
    expect((await ofageMock('clock')).stdout).toMatch(/^Next due +-$/m);
  });

  it('set rejects a time in the past', async () => {
    const { code, stderr } = await ofageMock('clock set 2020-01-01');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^ofage-mock: Cannot use the clock: Time only moves forward: the clock shows /,
    );
  });
});

describe('sessions', () => {
  it('lists the filtered sessions, newest first', async () => {
    const first = await createSession('anna');
    const second = await createSession('ben');
    await server.control.settle(first, 'verified');
    const ids = async (line: string): Promise<string[]> =>
      (await results(line)).map(({ id }) => id);
    expect(await ids('sessions')).toEqual([second, first]);
    expect(await ids('sessions --status verified')).toEqual([first]);
    expect(await ids('sessions --user ben')).toEqual([second]);
    expect(await ids('sessions --limit 1')).toEqual([second]);
    const { id } = await server.control.createTenant({ name: 'Wine' });
    expect(await ids(`sessions --tenant ${id}`)).toEqual([]);
    expect((await ofageMock('sessions')).stdout).toMatch(
      new RegExp(`^SESSION .*VALIDATED\n${second}  pending .*\n${first}  verified .*\n$`),
    );
  });

  it('prints that there are no sessions', async () => {
    expect(await ofageMock('sessions')).toEqual({ code: 0, stdout: 'No sessions\n', stderr: '' });
  });

  it('lists the accounts if the given one is unknown', async () => {
    expect(await ofageMock('sessions --tenant Beer')).toMatchObject({
      code: 1,
      stderr:
        'ofage-mock: Cannot list sessions: unknown account "Beer"; existing accounts: "Demo shop"\n',
    });
  });
});
