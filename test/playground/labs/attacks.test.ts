import { describe, expect, it } from 'vitest';
import { ATTACKS } from '../../../playground/labs/attack/attacks.ts';
import { createWorld } from '../../../playground/labs/attack/world.ts';
import { type Lab, openLab } from './a-lab.ts';

/** @param broken The end of the paths at which the shops answer with an error */
const toWorld = ({ ask, client, shopUrl, backend }: Lab, broken?: string) =>
  createWorld({
    send: async (url, init) =>
      broken !== undefined && url.endsWith(broken)
        ? Response.json({ message: 'The shop has a problem' }, { status: 500 })
        : backend.fetch(new Request(url, init)),
    sendToApi: ask,
    client,
    shopUrl: (path) => shopUrl + path,
    returnUrl: 'http://localhost/return/',
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });

const overHttp = ATTACKS.filter(({ id }) => id !== 'forged-message');

describe('attacks', () => {
  it.each(overHttp)(
    'such as $id fail against the shop and succeed against the careless shop',
    async ({ run }) => {
      const report = await run(await toWorld(await openLab()));
      expect(report.shop).toMatchObject({ isIn: false });
      expect(report.careless).toMatchObject({ isIn: true });
      expect(report.shop.outcome).not.toContain('HTTP 200');
    },
  );

  it.each(
    overHttp.flatMap((attack) =>
      ['shop/access', 'careless/access'].map((path) => ({ ...attack, path })),
    ),
  )('such as $id have no result if $path answers with an error', async ({ run, path }) => {
    const world = await toWorld(await openLab(), path);
    await expect(run(world)).rejects.toThrow(
      'The shop could not say whether Mallory has access: The shop has a problem',
    );
  });

  it("report responses, but not the attacker's complete token", async () => {
    const world = await toWorld(await openLab());
    const report = await ATTACKS.find(({ id }) => id === 'forged-return')!.run(world);
    const text = JSON.stringify(report);
    expect(text).toContain('"status":200');
    expect(text).not.toContain(world.mallory.token);
  });

  it('cause findings of the doctor, but Kontor neither trusts a URL nor reports anything twice', async () => {
    const lab = await openLab();
    for (const { run } of overHttp) await run(await toWorld(lab));
    const { findings } = await lab.client.doctor({ labs: true });
    const codes = findings.map(({ code }) => code);
    expect(codes).toEqual(
      expect.arrayContaining([
        'url_status_trusted',
        'access_not_verified',
        'event_processed_twice',
      ]),
    );
    const kontor = (await lab.client.observations()).filter(({ by }) => by === 'Kontor');
    expect(kontor.map(({ kind }) => kind)).not.toContain('url_status_trusted');
    expect(new Set(kontor.map((one) => JSON.stringify(one))).size).toBe(kontor.length);
  });

  it("are omitted from the doctor's default report", async () => {
    const lab = await openLab();
    for (const { run } of overHttp) await run(await toWorld(lab));
    const { findings, seen } = await lab.client.doctor();
    expect(findings.map(({ code }) => code)).toEqual(['nothing_seen']);
    expect(seen.labSessions).toBeGreaterThanOrEqual(overHttp.length);
  });

  it('are the only cause of problems: without them, the doctor reports only all_well', async () => {
    const lab = await openLab();
    const world = await toWorld(lab);
    const { sessionId } = await world.check(world.mallory, 'verified');
    await world.shop('Return', 'verification', { as: world.mallory, body: { sessionId } });
    await world.captured(sessionId);
    const { findings } = await lab.client.doctor({ labs: true });
    expect(findings.map(({ code }) => code)).toEqual(['all_well']);
  });
});
