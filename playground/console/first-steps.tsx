import type {
  DoctorUntried,
  DoctorUntriedCode,
  EndpointResource,
  KeyPairResource,
} from 'ofage-mock';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Copy, Panel } from '../shared/console/parts.tsx';
import { isDemoEndpoint } from '../shared/demo-endpoint.ts';
import { Chip } from '../shared/kit/chip.tsx';
import { serviceUrl } from '../shared/site.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { sortBySeverity } from './endpoint-view.ts';
import { Loaded } from './parts.tsx';
import { maskSecret, sortPairs } from './key-view.ts';
import * as queries from './queries.ts';

/** The codes of the steps. A step is done once the doctor does not list its code as untried. */
export const STEP_CODES: readonly DoctorUntriedCode[] = [
  'key_unused',
  'page_unused',
  'result_unasked',
  'webhook_unreceived',
];

/**
 * What to do first. The overview shows it while its report lists one of the steps. While it is shown, it
 * asks the service again as traffic arrives.
 */
export function FirstSteps(props: {
  context: Context;
  reported: readonly DoctorUntried[];
}): JSX.Element {
  const { context, reported } = props;
  const { provider, tenant, href } = context;
  const { data } = useQuery(provider.live, queries.untried(provider.client, tenant.id));
  const endpoints = useQuery(provider.live, queries.endpoints(provider.client, tenant.id)).data;
  const untried = (data ?? reported).map(({ code }) => code);
  const pairs = useQuery(provider.live, queries.pairs(provider.client, tenant.id));
  const script = `<script src="${serviceUrl('sdk.min.js')}"></script>`;
  return (
    <Panel title="First steps" testId="first-steps">
      <ol class="steps">
        <Step title="Copy the keys to your server" code="key_unused" untried={untried}>
          <Loaded result={pairs}>
            {(all) => <Keys pair={sortPairs(all).working.at(-1)} href={href} />}
          </Loaded>
        </Step>
        <Step title="Call verify() in your page" code="page_unused" untried={untried}>
          <div class="key__value">
            <code>{script}</code>
            <Copy text={script} what="script tag" />
          </div>
        </Step>
        <Step title="Ask for the result on your server" code="result_unasked" untried={untried}>
          <p>
            Call <code>validateOnce</code> when the shopper returns. Only its result gives access.
          </p>
        </Step>
        <Step title="Add your webhook" code="webhook_unreceived" untried={untried}>
          <Webhook endpoints={endpoints ?? []} href={href} />
        </Step>
      </ol>
    </Panel>
  );
}

/** Says what webhooks are for, or which endpoint of the user has accepted none yet. */
function Webhook(props: {
  endpoints: readonly EndpointResource[];
  href: Context['href'];
}): JSX.Element {
  const { endpoints, href } = props;
  const [endpoint] = sortBySeverity(
    endpoints.filter((one) => !isDemoEndpoint(one) && one.health.lastSuccessAt === null),
  );
  if (endpoint)
    return (
      <p>
        <a href={href({ page: 'webhooks', id: endpoint.id })}>{endpoint.url}</a> has not accepted
        one yet.
      </p>
    );
  return (
    <p>
      <a href={href({ page: 'webhooks' })}>Webhooks</a> tell your server how each session ended.
      {endpoints.some(isDemoEndpoint) && ' The endpoint of the demo shop does not count.'}
    </p>
  );
}

function Step(props: {
  title: string;
  code: DoctorUntriedCode;
  untried: readonly DoctorUntriedCode[];
  children: ComponentChildren;
}): JSX.Element {
  const { title, code, untried, children } = props;
  const isDone = !untried.includes(code);
  // A step that becomes done while the page is open keeps its content, in which the focus may be.
  const [wasDone] = useState(isDone);
  return (
    <li data-testid="step" data-code={code} data-done={isDone}>
      <h3>
        {title} {isDone && <Chip tone="good">done</Chip>}
      </h3>
      {!wasDone && children}
    </li>
  );
}

/** The keys as environment variables of the merchant's server. */
function Keys(props: { pair: KeyPairResource | undefined; href: Context['href'] }): JSX.Element {
  const { pair, href } = props;
  if (pair === undefined)
    return (
      <p>
        The account has no active key pair. <a href={href({ page: 'keys' })}>Create one</a>.
      </p>
    );
  const toEnv = (secretKey: string): string =>
    `OFAGE_PUBLISHABLE_KEY=${pair.publishable.value}\nOFAGE_SECRET_KEY=${secretKey}\nOFAGE_API_BASE=${serviceUrl('api/v1')}`;
  return (
    <div class="key__value">
      <code>{toEnv(maskSecret(pair.secret.value))}</code>
      <Copy text={toEnv(pair.secret.value)} what="keys" />
    </div>
  );
}
