import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { siteUrl } from '../../shared/site.ts';
import { toPairName } from '../key-view.ts';
import { createTestSession, type TestSession } from '../test-session.ts';
import type { AppContext } from './app-context.ts';
import { Form } from './form.tsx';
import { useForm } from './use-form.ts';
import { usePairs } from './use-pairs.ts';

/** Creates a session in the way the account's server does, so that the dashboard has data to show. */
export function NewSession({ context }: { context: AppContext }): JSX.Element {
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
      <Dialog
        title={created.value ? 'Session created' : 'Start a test session'}
        isOpen={isOpen}
        dismiss={created.value ? 'Close' : 'Cancel'}
      >
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
  context: AppContext;
  onCreated: (session: TestSession) => void;
}): JSX.Element {
  const { context, onCreated } = props;
  const pairs = usePairs(context).data.value ?? [];
  const { draft, submission, field } = useForm({ pairId: '', externalUserId: '' });
  const { pairId, externalUserId } = draft.value;
  const chosen = pairs.find((pair) => pair.pairId === pairId) ?? pairs.at(-1);
  const create = (): void =>
    void submission.run(async () => {
      if (!chosen) throw new Error('This account has no key pair. Create one in API keys first');
      const session = await createTestSession(context.provider, chosen.secret.value, {
        returnUrl: siteUrl('return/'),
        externalUserId: externalUserId.trim() || null,
      });
      onCreated(session);
    }, 'Session created');
  return (
    <Form submission={submission} submit="Create session" onSubmit={create} isPrimary>
      <p class="muted">
        Calls <code>POST /sessions/create</code> with a secret key, as your server does.
      </p>
      <SelectField
        label="Key pair"
        options={pairs.map(({ pairId, secret }) => ({
          value: pairId,
          text: `${toPairName(pairId)} (secret key ${secret.status})`,
        }))}
        value={chosen?.pairId ?? ''}
        onValue={(value) => (field('pairId').value = value)}
      />
      <TextField
        label="externalUserId"
        hint="Your id for the shopper (optional). ofage_test:failed_age_not_met sets the outcome."
        verbatim
        bind={field('externalUserId')}
        testId="new-session-user"
      />
    </Form>
  );
}

function CreatedSession(props: {
  context: AppContext;
  session: TestSession;
  onLeave: () => void;
}): JSX.Element {
  const { context, session, onLeave } = props;
  return (
    <div class="form">
      <p>Verify as the shopper, or open the session and settle it.</p>
      <div class="row">
        <a class="button button--primary" href={session.verifyUrl} target="_blank" rel="noopener">
          Open the hosted page
        </a>
        <a
          class="button"
          data-testid="show-session"
          href={context.href({ section: 'sessions', id: session.sessionId })}
          onClick={onLeave}
        >
          Show the session
        </a>
      </div>
    </div>
  );
}
