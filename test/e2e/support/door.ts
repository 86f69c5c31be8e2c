/** A mock with a public address, behind a proxy that stands for a tunnel, and a merchant's page behind another. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ProxyKind, startTlsProxy } from '../../support/tls-proxy.ts';
import { findFreePort } from '../../support/free-port.ts';
import { type Provider, startProvider } from './provider.ts';
import { sendText } from './send-text.ts';

const GUIDE = readFileSync(
  new URL('../../../docs/guides/running-the-mock.md', import.meta.url),
  'utf8',
);

/** The host names of the guide. */
export const MOCK = 'my-mock.example';
export const SHOP = 'my-shop.example';

export interface Door extends Provider {
  readonly publicUrl: string;
  readonly publicPort: number;
  /** The address of the merchant's page. */
  readonly merchant: string;
  /** The port of a proxy that both names lead to. */
  readonly proxyPort: number;
  readonly stop: () => Promise<void>;
}

/** Starts the mock with the command of the guide, on a free port. */
export async function startDoor(
  kind: ProxyKind = 'rewrites the Host and the Origin to loopback',
): Promise<Door> {
  const publicPort = await findFreePort();
  const [, options = ''] = /npx ofage-mock (--public-port .*)/.exec(GUIDE) ?? [];
  const provider = await startProvider(options.replace('4020', String(publicPort)).split(' '));
  await provider.client.updateTenant(provider.tenantId, { allowedDomains: [SHOP] });
  const page = createServer((_request, response) =>
    sendText(response, 200, 'text/html', merchantPage(provider.publishableKey)),
  );
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  const { port } = page.address() as AddressInfo;
  const proxy = await startTlsProxy(kind, { [MOCK]: publicPort, [SHOP]: port });
  return {
    ...provider,
    publicUrl: `https://${MOCK}`,
    publicPort,
    merchant: `https://${SHOP}/`,
    proxyPort: proxy.port,
    async stop() {
      proxy.stop();
      page.closeAllConnections();
      page.close();
      await provider.stop();
    },
  };
}

/** The guide's script tag in a page that shows how verify() ended, in the tab that it opens. */
const merchantPage = (apiKey: string): string => `<!doctype html><html lang=en>
<meta name=viewport content="width=device-width">
<title>Merchant</title>
<button id=verify>Verify my age</button>
<p id=result></p>
${/^ *(<script src="https:.*)$/m.exec(GUIDE)?.[1]}
<script>
const ofAge = new OfAge({ apiKey: ${JSON.stringify(apiKey)}, returnUrl: location.origin + '/return', mode: 'new-tab' });
const show = (text) => { document.getElementById('result').textContent = text; };
document.getElementById('verify').onclick = () => {
  ofAge.verify({ skipIntro: true, autoReturn: true }).then(({ status }) => show(status), ({ code, message }) => show(code + ': ' + message));
};
</script>`;
