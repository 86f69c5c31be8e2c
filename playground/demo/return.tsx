/**
 * The return page: the parameters in the address, and the result that the shop's server got from the
 * service.
 */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import '../shared/base.css';
import '../shop/shop.css';
import './entry.css';
import './return.css';
import { NONE } from '../../mock-server/words/states.ts';
import { formatTime } from '../../mock-server/words/times.ts';
import { SiteBar } from '../shared/console/site-bar.tsx';
import { Chip } from '../shared/kit/chip.tsx';
import { formatError } from '../shared/kit/format-error.ts';
import { type Provider, openProvider } from '../shared/provider.ts';
import { type Decision, createShopApi } from '../shop/api.ts';
import { sdk } from '../shared/sdk.ts';
import { toCount } from '../../mock-server/words/counts.ts';
import { Conclusion } from '../shop/conclusion.tsx';
import { CheckLinks } from './check-links.tsx';
import { DemoMasthead } from './demo-masthead.tsx';
import { readKeptOptions } from './demo-shop.ts';
import { Problem } from './problem.tsx';
import { readKeptBasket } from '../shop/state.ts';
import { MAIN_FIELDS, sortFields, toDecisionState, toForgery } from './decision-fields.ts';
import { renderPage } from '../shared/kit/render-page.ts';

/** The fields that contain times of the service's clock. */
const TIMES: readonly string[] = ['timestamp', 'expiresAt'];

const decision = signal<Decision | null>(null);
const requestError = signal<string | null>(null);
const provider = signal<Provider | null>(null);
const basket = readKeptBasket();

// Runs before the page is rendered. If the shop waits in another window, `handleReturn()` notifies it and
// closes this window.
const returned = sdk().handleReturn(location.href);

const root = document.getElementById('app');
renderPage(<Return />, root);
void start();

async function start(): Promise<void> {
  try {
    provider.value = await openProvider();
    if (!returned) return;
    decision.value = await createShopApi().verification(returned.sessionId);
  } catch (error) {
    requestError.value = formatError(error);
  }
}

function Return(): JSX.Element {
  const state = toDecisionState(decision.value, requestError.value !== null);
  // A validation that gives no access has not failed, so its chip is not red.
  const chipTone = state.text === 'validated' && state.tone === 'bad' ? 'neutral' : state.tone;
  return (
    <>
      <SiteBar here="shop" provider={provider.value} />
      <DemoMasthead basket={basket} />
      <main class="return">
        <Conclusion
          returned={returned}
          decision={decision.value}
          isInTrouble={requestError.value !== null}
          basket={basket}
        />
        <CheckLinks sessionId={returned?.sessionId ?? null} options={readKeptOptions()} />
        <div class="columns">
          <section class="entry tone--warn" aria-labelledby="says">
            <h2 id="says">
              The address says <Chip tone="warn">untrusted</Chip>
            </h2>
            {returned ? (
              <Fields id="param" fields={{ ...returned }} />
            ) : (
              <p class="muted" data-testid="no-params">
                It has no parameters of a check.
              </p>
            )}
            <p class="muted">
              Anyone can type this. The server uses the session ID only, to ask the service about
              it.
            </p>
          </section>
          <section class={`entry tone--${state.tone}`} aria-labelledby="decides">
            <h2 id="decides">
              The server decides{' '}
              {returned && (
                <Chip tone={chipTone} testId="decision-state">
                  {state.text}
                </Chip>
              )}
            </h2>
            <Answer answer={decision.value} />
            <p class="muted">
              {returned
                ? 'The shop’s server asks the service with its secret key, and compares the customer.'
                : 'With a session ID, the shop’s server would ask the service with its secret key.'}
            </p>
          </section>
        </div>
        {returned && <ForDevelopers status={returned.status} />}
      </main>
    </>
  );
}

function ForDevelopers({ status }: { status: string }): JSX.Element {
  const forgery = toForgery(location.href, status);
  return (
    <section class="developers" aria-labelledby="developers-title">
      <h2 id="developers-title">For developers: two things to try</h2>
      <ul>
        <li>
          <b>Forge the address.</b> Change <code>status=</code> in the address by hand, or{' '}
          <a href={forgery.href} data-testid="forge">
            open it with <code>status={forgery.status}</code>
          </a>
          . The first card changes, but the second does not.
        </li>
        <li>
          <b>Reload the page.</b> The service validates an ended session once. The shop’s server
          stores its result, so a reload shows it again, but only to this customer.
        </li>
      </ul>
    </section>
  );
}

function Answer({ answer }: { answer: Decision | null }): JSX.Element {
  if (requestError.value !== null) {
    return (
      <p class="problem" data-testid="error">
        {requestError.value}
      </p>
    );
  }
  if (!answer)
    return <p class="muted">{returned ? 'Asking…' : 'There is no session to ask about.'}</p>;
  return (
    <div
      data-testid="decision"
      data-access={String(answer.access)}
      data-problem={answer.problem?.code ?? ''}
    >
      <p>
        {answer.access ? (
          <strong class="granted">Access granted</strong>
        ) : (
          <strong>No access</strong>
        )}
      </p>
      {answer.problem && (
        <p class="problem">
          <Problem {...answer.problem} />
        </p>
      )}
      {answer.validation && <Fields id="validated" fields={answer.validation} />}
    </div>
  );
}

/** Shows the main fields, and the others on request. */
function Fields({ id, fields }: { id: string; fields: object }): JSX.Element {
  const all = sortFields(fields);
  const main = all.filter(([name]) => MAIN_FIELDS.includes(name));
  const others = all.slice(main.length);
  return (
    <>
      <FieldList id={id} fields={main} />
      {others.length > 0 && (
        <details>
          <summary>{toCount(others.length, 'more field')}</summary>
          <FieldList id={id} fields={others} />
        </details>
      )}
    </>
  );
}

function FieldList(props: { id: string; fields: [string, unknown][] }): JSX.Element {
  return (
    <dl class="fields">
      {props.fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span data-testid={`${props.id}-${name}`}>{String(value ?? NONE)}</span>
            {TIMES.includes(name) && <Moment value={value} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Shows a time of the service's clock, for example `2026-11-21 08:00:00 UTC`. The address has it as a
 * number, the response as ISO 8601.
 */
function Moment({ value }: { value: unknown }): JSX.Element | null {
  const at = new Date(typeof value === 'number' ? value : String(value));
  return Number.isNaN(at.getTime()) ? null : <span class="moment">{formatTime(at.getTime())}</span>;
}
