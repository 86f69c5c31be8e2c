import type { JSX } from 'preact';
import { Copy, Panel } from '../shared/console/parts.tsx';
import { siteUrl } from '../shared/site.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { maskSecret, sortPairs } from './key-view.ts';
import * as queries from './queries.ts';

/** What to do first, which the overview shows until the account has a session. */
export function FirstSteps({ context }: { context: Context }): JSX.Element {
  const { provider, tenant, href } = context;
  const pairs = useQuery(provider.live, queries.pairs(provider.client, tenant.id)).data ?? [];
  const pair = sortPairs(pairs).working.at(-1);
  const toEnv = (secretKey: string): string =>
    `OFAGE_PUBLISHABLE_KEY=${pair?.publishable.value}\nOFAGE_SECRET_KEY=${secretKey}`;
  return (
    <Panel title="No sessions yet. Three steps to the first one" testId="first-steps">
      <ol class="steps">
        <li>
          <h3>Copy the keys to your server</h3>
          {pair ? (
            <div class="key__value">
              <code>{toEnv(maskSecret(pair.secret.value))}</code>
              <Copy text={toEnv(pair.secret.value)} what="keys" />
            </div>
          ) : (
            <p>
              The account has no active key pair. <a href={href({ page: 'keys' })}>Create one</a>.
            </p>
          )}
        </li>
        <li>
          <h3>Open the demo shop</h3>
          <p>
            Verify your age in <a href={siteUrl('')}>the shop</a> or in your own page, or start a
            test session above. It appears here at once.
          </p>
        </li>
        <li>
          <h3>Add your webhook</h3>
          <p>
            <a href={href({ page: 'webhooks' })}>Webhooks</a> tell your server how each session
            ended.
          </p>
        </li>
      </ol>
    </Panel>
  );
}
