import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { Dialog } from '../../shared/kit/dialog.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { toHash } from '../route.ts';
import type { AppContext } from './app-context.ts';
import { Form, useSubmission } from './form.tsx';

/** Shows the account's name, or a select if there are several accounts. */
export function AccountChoice({ context }: { context: AppContext }): JSX.Element {
  const { tenant, tenants, route } = context;
  if (tenants.length === 1) {
    return (
      <p class="account-name">
        <span class="visually-hidden">Account: </span>
        {tenant.name}
      </p>
    );
  }
  const choose = (id: string): void => {
    const account = id === tenants[0]?.id ? '' : id;
    location.hash = toHash({ section: route.section, query: { account } });
  };
  return (
    <SelectField
      label="Account"
      class="account-choice"
      options={tenants.map(({ id, name }) => ({ value: id, text: name }))}
      value={tenant.id}
      onValue={choose}
      testId="account"
    />
  );
}

export function NewAccount({ context }: { context: AppContext }): JSX.Element {
  const isOpen = useSignal(false);
  const name = useSignal('');
  const submission = useSubmission(['name']);
  const open = (): void => {
    name.value = '';
    isOpen.value = true;
  };
  const create = (): void =>
    void submission.run(async () => {
      const { client } = context.provider;
      const account = await client.createTenant({ name: name.value.trim() || null });
      isOpen.value = false;
      // A new account needs keys before it can do anything, so show the keys section next.
      location.hash = toHash({ section: 'keys', query: { account: account.id } });
    }, 'Account created');
  return (
    <div class="new-account">
      <Button small onPress={open} testId="new-account">
        New account
      </Button>
      <Dialog title="New account" isOpen={isOpen}>
        <Form submission={submission} submit="Create account" onSubmit={create} isPrimary>
          <p class="muted">A separate merchant with its own policy, keys, sessions and webhooks.</p>
          <TextField
            label="Name"
            error={submission.problems.value.of('name')}
            placeholder="Demo shop"
            bind={name}
            testId="account-name"
          />
        </Form>
      </Dialog>
    </div>
  );
}
