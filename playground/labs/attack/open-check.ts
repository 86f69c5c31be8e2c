import type { Provider } from '../../shared/provider.ts';
import { sdk } from '../../shared/sdk.ts';
import { openLabFrame } from '../frame/lab-frame.ts';
import type { Customer, OpenCheck } from './world.ts';

const POLL_MS = 200;

/** Opens the check with the SDK, as the shop's page does, for the attack that needs a window. */
export function openCheck(
  { customerId }: Customer,
  ports: { provider: Provider; publishableKey: string; returnUrl: string },
): OpenCheck {
  const { provider, publishableKey, returnUrl } = ports;
  let said: unknown = null;
  const undo: (() => void)[] = [];
  const OfAge = sdk();
  const ofage = new OfAge({ apiKey: publishableKey, returnUrl, mode: 'new-tab' });
  ofage.verify({ externalUserId: customerId }).then(
    (result) => (said = result),
    (error: unknown) => (said = { error: String(error) }),
  );
  undo.push(() => ofage.destroy());

  return {
    sessionId: findSession(provider, customerId, () => said),
    async forge(message) {
      const frame = await openLabFrame({});
      undo.push(() => frame.remove());
      // The page's own listener, as careless as they come. The SDK's was there before it, and has heard too.
      const heard = new Promise<{ origin: string; data: unknown }>((resolve) => {
        const onMessage = ({ origin, data }: MessageEvent<unknown>): void => {
          if ((Object(data) as { type?: unknown }).type !== 'ofage:verification:complete') return;
          window.removeEventListener('message', onMessage);
          resolve({ origin, data });
        };
        window.addEventListener('message', onMessage);
      });
      frame.tell({ do: 'forge', message });
      const word = await heard;
      // Whatever a promise of the SDK had to say is said by now.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return word;
    },
    said: () => said,
    end() {
      for (const one of undo) one();
    },
  };
}

/** The attacker knows everything, so the lab looks it up. */
async function findSession(
  provider: Provider,
  customerId: string,
  said: () => unknown,
): Promise<string> {
  for (;;) {
    const [session] = await provider.client.sessions({ externalUserId: customerId, limit: 1 });
    // Once the hosted page is open, the SDK listens for its message.
    if (session && session.openDevices.length > 0) return session.id;
    if (said() !== null) throw new Error(`The check did not begin: ${JSON.stringify(said())}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
