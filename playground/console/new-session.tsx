import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../shared/kit/button.tsx';
import { Dialog } from '../shared/kit/dialog.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import { siteUrl } from '../shared/site.ts';
import { useQuery } from '../shared/use-query.ts';
import type { Context } from './context.ts';
import { Form, readText } from './form.tsx';
import { type SortedPairs, sortPairs, toPairName } from './key-view.ts';
import { Loaded } from './parts.tsx';
import { pairs as pairsOf } from './queries.ts';
import { createTestSession, type TestSession } from './test-session.ts';

/** Creates a session in the way the account's server does, so that the console has data to show. */
export function NewSession({ context }: { context: Context }): JSX.Element {
  const isOpen = useSignal(false);
  const created = useSignal<TestSession | null>(null);
  const open = (): void => {
    created.value = null;
    isOpen.value = true;
  };
  return (
    <>
      <Button variant="primary" onPress={open} testId="new-session">
        Start a test session
      </Button>
      <Dialog title={created.value ? 'Session created' : 'Start a test session'} isOpen={isOpen}>
        {created.value ? (
          <CreatedSession
            context={context}
            session={created.value}
            onLeave={() => (isOpen.value = false)}
          />
        ) : (
          <NewSessionForm context={context} onCreated={(session) => (created.value = session)} />
        )}
      </Dialog>
    </>
  );
}

function NewSessionForm(props: {
  context: Context;
  onCreated: (session: TestSession) => void;
}): JSX.Element {
  const { context, onCreated } = props;
  const { client, live } = context.provider;
  const pairs = useQuery(live, pairsOf(client, context.tenant.id));
  const { working, refused } = sortPairs(pairs.data ?? []);
  const newest = working.at(-1);
  if (!newest) {
    return (
      <Loaded result={pairs}>
        {() => (
          <div class="form" data-testid="no-working-pair">
            <p>
              No key pair of this account can create sessions.{' '}
              <a href={context.href({ page: 'keys' })}>Create one in Keys</a>.
            </p>
            <RefusedPairs refused={refused} />
          </div>
        )}
      </Loaded>
    );
  }
  const create = async (form: FormData): Promise<void> => {
    const chosen = working.find(({ pairId }) => pairId === form.get('pair')) ?? newest;
    const session = await createTestSession(context.provider, chosen.secret.value, {
      returnUrl: siteUrl('return/'),
      externalUserId: readText(form, 'externalUserId') || null,
    });
    onCreated(session);
  };
  return (
    <Form submit="Create session" save={create} done="Session created" isPrimary>
      <p class="muted">
        Calls <code>POST /sessions/create</code> with a secret key, as your server does.
      </p>
      <SelectField
        name="pair"
        label="Key pair"
        options={working.map(({ pairId }) => ({ value: pairId, text: toPairName(pairId) }))}
        value={newest.pairId}
        testId="new-session-pair"
      />
      <RefusedPairs refused={refused} />
      <TextField
        name="externalUserId"
        label="externalUserId"
        hint="Your id for the shopper (optional). ofage_test:failed_age_not_met sets the outcome."
        verbatim
        testId="new-session-user"
      />
    </Form>
  );
}

/** Says why the other key pairs are not offered. Shows nothing if all are. */
function RefusedPairs({ refused }: Pick<SortedPairs, 'refused'>): JSX.Element | null {
  if (refused.length === 0) return null;
  return (
    <ul class="muted" data-testid="refused-pairs">
      {refused.map(({ pairId, why }) => (
        <li key={pairId}>
          <span class="mono">{toPairName(pairId)}</span> is not offered: {why}
        </li>
      ))}
    </ul>
  );
}

function CreatedSession(props: {
  context: Context;
  session: TestSession;
  onLeave: () => void;
}): JSX.Element {
  const { context, session, onLeave } = props;
  return (
    <div class="form">
      <p>Verify as the shopper, or open the session and settle it.</p>
      <div class="row">
        <a
          class="button"
          data-testid="show-session"
          href={context.href({ page: 'sessions', id: session.sessionId })}
          onClick={onLeave}
        >
          Show the session
        </a>
        <a class="button button--primary" href={session.verifyUrl} target="_blank" rel="noopener">
          Open the hosted page
        </a>
      </div>
    </div>
  );
}
