import type { JSX } from 'preact';
import { Button } from '../shared/kit/button.tsx';
import { announce, attempt } from '../shared/kit/toast.tsx';
import type { Provider } from '../shared/provider.ts';
import { useQuery } from '../shared/use-query.ts';
import * as queries from './queries.ts';

/**
 * Names the hosts whose webhooks are held since a snapshot file was loaded, with the button that sends them.
 */
export function HeldNote({ provider }: { provider: Provider }): JSX.Element | null {
  const { client, live } = provider;
  const { data } = useQuery(live, queries.webhookHold(client));
  if (!data || data.hosts.length === 0) return null;
  const send = (): Promise<boolean> =>
    attempt(async () => {
      await client.releaseWebhooks();
      announce('Webhooks are sent');
    });
  return (
    <div class="note tone--warn panel__head" data-testid="webhook-hold">
      <p>
        <strong>Webhooks to {data.hosts.join(', ')} are held</strong>
        <br />
        <span class="muted">
          The state comes from a snapshot file, so these endpoints may belong to another person.
        </span>
      </p>
      <Button onPress={send} testId="send-webhooks">
        Send webhooks
      </Button>
    </div>
  );
}
