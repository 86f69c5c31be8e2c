import { createMockService, type Sender, type ServiceOptions } from 'ofage/mock';
import { HOOK, JANUARY } from './scene.ts';

export { HOOK, JANUARY, answered } from './scene.ts';

/** Options with one endpoint that receives only completions. */
export const ONLY_ENDS: ServiceOptions = {
  endpoints: [{ url: HOOK, secret: 'first secret', events: ['verification.completed'] }],
};

/** Creates a service with one endpoint for all events. `answer` returns the responses of its receiver. */
export async function createScene(answer: Sender['send'], options: ServiceOptions = {}) {
  const sent: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = [];
  const service = createMockService({
    clock: { now: JANUARY, frozen: true },
    sender: {
      send(request) {
        const { url, headers, body } = request;
        sent.push({ url, headers, body: new TextDecoder().decode(body) });
        return answer(request);
      },
    },
    endpoints: [{ url: HOOK, secret: 'first secret' }],
    ...options,
  });
  const { secretKey, tenantId } = await service.ready;
  const create = async (key = secretKey): Promise<string> => {
    const response = await service.fetch(
      new Request('http://localhost/api/v1/sessions/create', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ returnUrl: 'http://localhost/' }),
      }),
    );
    return ((await response.json()) as { sessionId: string }).sessionId;
  };
  const createSettled = async (): Promise<string> => {
    const { id } = await service.control.settle(await create(), 'verified');
    return id;
  };
  const flush = () => service.clock.advance(0);
  return { service, sent, tenantId, create, createSettled, flush, control: service.control };
}

export const kindsOf = (sent: readonly { body: string }[]): string[] =>
  sent.map(({ body }) => (JSON.parse(body) as { event: string }).event);
