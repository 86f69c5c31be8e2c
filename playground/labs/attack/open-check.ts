import type { Provider } from '../../shared/provider.ts';
import { sdk } from '../../shared/sdk.ts';
import { isCompletion } from '../forged-message.ts';
import { openLabFrame } from '../frame/lab-frame.ts';
import { followNewestSession } from '../newest-session.ts';
import type { Customer, OpenCheck } from './world.ts';

/** Opens the check with the SDK, as the shop's page does. Used by the attack that needs a window. */
export function openCheck(
  { customerId }: Customer,
  ports: { provider: Provider; publishableKey: string; returnUrl: string },
): OpenCheck {
  const { provider, publishableKey, returnUrl } = ports;
  let sdkResult: unknown = null;
  const OfAge = sdk();
  const ofage = new OfAge({ apiKey: publishableKey, returnUrl, mode: 'new-tab' });
  const settled = ofage
    .verify({ externalUserId: customerId })
    .catch((error: unknown) => ({ error: String(error) }))
    .then((result: unknown) => (sdkResult = result));
  const newest = followNewestSession(provider, customerId);
  const disposers = [() => ofage.destroy(), newest.close];
  const neverOpened = settled.then((result) => {
    throw new Error(`The check did not begin: ${JSON.stringify(result)}`);
  });

  return {
    sessionId: Promise.race([newest.whenOpen().then(({ id }) => id), neverOpened]),
    async forge(message) {
      const frame = await openLabFrame({});
      disposers.push(() => frame.remove());
      const completion = nextCompletion();
      frame.send({ do: 'forge', message });
      const received = await completion;
      // If the SDK has settled its promise, the handlers have run by the next task.
      await new Promise((resolve) => setTimeout(resolve, 0));
      return received;
    },
    result: () => sdkResult,
    end() {
      for (const dispose of disposers) dispose();
    },
  };
}

/**
 * Resolves with the next completion message, from any sender. The SDK's listener was added first, so it has
 * received the message by then.
 */
function nextCompletion(): Promise<{ readonly origin: string; readonly data: unknown }> {
  return new Promise((resolve) => {
    const onMessage = ({ origin, data }: MessageEvent<unknown>): void => {
      if (!isCompletion(data)) return;
      window.removeEventListener('message', onMessage);
      resolve({ origin, data });
    };
    window.addEventListener('message', onMessage);
  });
}
