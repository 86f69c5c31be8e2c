import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { siteUrl } from '../../shared/site.ts';
import { toPairName } from '../key-view.ts';
import { createTestSession, type TestSession } from '../test-session.ts';
import type { Desk } from './desk.ts';
import { Form, useSubmission } from './form.tsx';
import { usePairs } from './use-pairs.ts';

/** Creates a session as the account's server would, so that there is something to look at. */
export function NewSession({ desk }: { desk: Desk }): JSX.Element {
  const { provider } = desk;
  const isOpen = useSignal(false);
  const pairs = usePairs(desk).data.value ?? [];
  const pairId = useSignal('');
  const chosen = pairId.value || (pairs.at(-1)?.pairId ?? '');
  const externalUserId = useSignal('');
  const made = useSignal<TestSession | null>(null);
  const submission = useSubmission(['externalUserId']);

  const open = (): void => {
    made.value = null;
    externalUserId.value = '';
    pairId.value = '';
    submission.reset();
    isOpen.value = true;
  };
  const create = (): void =>
    void submission.run(async () => {
      const pair = pairs.find((one) => one.pairId === chosen);
      if (!pair) throw new Error('The account has no key pair. Create one in API keys');
      made.value = await createTestSession(provider, pair.secret.value, {
        returnUrl: siteUrl('return/'),
        externalUserId: externalUserId.value.trim() || null,
      });
    }, 'Session created');

  return (
    <>
      <Button onPress={open} testId="new-session">
        Start a test session
      </Button>
      <Dialog
        title={made.value ? 'The session is waiting' : 'Start a test session'}
        isOpen={isOpen}
        dismiss={made.value ? 'Close' : 'Cancel'}
      >
        {made.value ? (
          <div class="form">
            <p>Go through it as a shopper, or settle it from here.</p>
            <div class="row">
              <a
                class="button button--primary"
                href={made.value.verifyUrl}
                target="_blank"
                rel="noopener"
              >
                Open the hosted page
              </a>
              <a
                class="button"
                data-testid="show-session"
                href={desk.href({ section: 'sessions', id: made.value.sessionId })}
                onClick={() => (isOpen.value = false)}
              >
                Show the session
              </a>
            </div>
          </div>
        ) : (
          <Form submission={submission} submit="Create session" onSubmit={create}>
            <p class="muted">
              Calls <code>POST /sessions/create</code> with a secret key, as your server does.
            </p>
            <SelectField
              label="Key pair"
              options={pairs.map(({ pairId, secret }) => ({
                value: pairId,
                text: `${toPairName(pairId)} (secret key ${secret.status})`,
              }))}
              value={chosen}
              onValue={(value) => (pairId.value = value)}
            />
            <TextField
              label="externalUserId"
              hint="Your own id of the shopper. It may be left empty; ofage_test:failed_age_not_met chooses an outcome."
              error={submission.problems.value.of('externalUserId')}
              verbatim
              bind={externalUserId}
              testId="new-session-user"
            />
          </Form>
        )}
      </Dialog>
    </>
  );
}
