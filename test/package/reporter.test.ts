import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { startMockServer } from '../../mock-server/hosts/node-server.ts';
import { readBuilt } from './built.ts';

const SDK = readBuilt('ofage', 'sdk.min.js');
const REPORTER = readBuilt('ofage-mock', 'reporter.js');

it('the published script of the SDK has not a byte of the reporter', () => {
  expect(SDK).not.toMatch(/reports\/v1|OFAGE_REPORTS_URL|sendBeacon|page\.shown/);
  expect(REPORTER).toMatch(/OFAGE_REPORTS_URL[^]*page\.shown|page\.shown[^]*OFAGE_REPORTS_URL/);
});

it('the static playground has the published script', () => {
  expect(readFileSync('dist-static/sdk.min.js', 'utf8')).toBe(SDK);
});

it('a mock serves the published script with its own addresses, and the reporter behind it', async () => {
  const server = await startMockServer({ port: 0 });
  onTestFinished(() => server.close());
  const { origin } = new URL(server.apiBase);
  const served = await (await fetch(server.sdkUrl)).text();
  const published = served
    .slice(
      0,
      served.length -
        REPORTER.length +
        'OFAGE_REPORTS_URL'.length -
        `"${origin}/reports/v1"`.length,
    )
    .replaceAll(`${origin}/api/v1`, 'https://api.ofage.example/api/v1')
    .replaceAll(`${origin}/help/`, 'https://docs.ofage.example/errors/');
  expect(published).toBe(SDK);
  expect(served.slice(-REPORTER.length)).toContain(`"${origin}/reports/v1"`);
});
