/** A page with the mock service behind MSW's worker, with its state in IndexedDB. The test controls it. */
import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { createIndexedDbLog, createMockService } from 'ofage-mock';

declare global {
  interface Window {
    contract: PageContract;
    /** Passes a webhook to the test. Resolves with the response or its status. Nothing means 204. */
    webhookReceived(
      headers: [string, string][],
      bodyText: string,
      url: string,
    ): Promise<number | { status: number; headers?: Record<string, string> } | void>;
  }
}

export interface PageContract {
  readonly webhookUrl: string;
  send(path: string, init: RequestInit): Promise<SentAnswer>;
  call(part: 'control' | 'clock', method: string, values: unknown[]): Promise<unknown>;
}

export interface SentAnswer {
  status: number;
  headers: [string, string][];
  text: string;
}

const webhookUrl = 'https://hooks.shop.example/webhooks';
// Tabs with the same name share one state.
const name = new URLSearchParams(location.search).get('name') ?? `contract-${Date.now()}`;
const service = createMockService({ log: createIndexedDbLog({ name }) });
const worker = setupWorker(
  ...service.handlers,
  http.post(`${webhookUrl}*`, async ({ request }) => {
    const text = await request.text();
    const answer = await window.webhookReceived([...request.headers], text, request.url);
    return new Response(null, typeof answer === 'object' ? answer : { status: answer ?? 204 });
  }),
);
await worker.start({ quiet: true });

window.contract = {
  webhookUrl,
  async send(path, init) {
    const response = await fetch(`https://api.ofage.example${path}`, init);
    const { status, headers } = response;
    return { status, headers: [...headers], text: await response.text() };
  },
  async call(part, method, values) {
    const target = service[part] as unknown as Record<string, (...v: unknown[]) => unknown>;
    return target[method]?.(...values);
  },
};
