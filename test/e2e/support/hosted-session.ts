import type { Provider } from './provider.ts';

/** The settings of the account and its session. */
export interface Setup {
  readonly tenant?: object;
  readonly session?: object;
}

export interface Opened {
  readonly sessionId: string;
  readonly sessionToken: string;
  readonly handoffToken: string;
  readonly verifyUrl: string;
}

/** Creates a new account and a session in it. */
export async function createSession(provider: Provider, setup: Setup = {}): Promise<Opened> {
  const { id } = await provider.client.createTenant({ name: 'Kontor', ...setup.tenant });
  const { secret } = await provider.client.createKeyPair(id);
  const response = await fetch(`${provider.apiBase}/sessions/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret.value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ returnUrl: `${provider.shop}/return/`, ...setup.session }),
  });
  if (!response.ok) throw new Error(`create responded with ${response.status}`);
  return (await response.json()) as Opened;
}
