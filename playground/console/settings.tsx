import { useSignal } from '@preact/signals';
import type { Member, TenantInput, TenantResource } from 'ofage-mock';
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Panel } from '../shared/console/parts.tsx';
import { Button } from '../shared/kit/button.tsx';
import { CheckField } from '../shared/kit/check-field.tsx';
import { Field, FieldErrors } from '../shared/kit/field.tsx';
import { SelectField } from '../shared/kit/select-field.tsx';
import { TextField } from '../shared/kit/text-field.tsx';
import type { Context } from './context.ts';
import { FieldGroup, Form, readNumber, readText } from './form.tsx';
import { Heading } from './parts.tsx';

const ROLES = ['owner', 'admin', 'developer'] as const satisfies readonly Member['role'][];

/** The settings of the account. What only the mock has is on the page Simulate. */
export function Settings({ context }: { context: Context }): JSX.Element {
  const { provider, tenant } = context;
  /** The members while they are edited. Null while the form shows the saved ones. */
  const edited = useSignal<readonly Row[] | null>(null);
  const rows = edited.value ?? tenant.members.map(toRow);
  const save = async (form: FormData): Promise<void> => {
    await provider.client.updateTenant(tenant.id, onlyChanges(readSettings(form), tenant));
    edited.value = null;
  };
  return (
    <>
      <Heading title="Settings">
        What you would set in production. Applies to new sessions; those in progress keep their
        policy.
      </Heading>
      <Form
        submit="Save settings"
        save={save}
        done="Settings saved"
        isPrimary
        long={{ isChanged: edited.value !== null, onDiscard: () => (edited.value = null) }}
        testId="settings"
      >
        <Panel title="Account">
          <TextField
            name="name"
            label="Name"
            hint="Shoppers see this name, unless the session sets a merchant name."
            value={tenant.name}
            testId="name"
          />
          <CheckField
            name="sandboxMode"
            label="Sandbox: the hosted page offers every outcome"
            value={tenant.sandboxMode}
            testId="sandbox"
          />
        </Panel>
        <Policy {...tenant.policy} />
        <Domains domains={tenant.allowedDomains} />
        <Members rows={rows} onRows={(next) => (edited.value = next)} />
      </Form>
    </>
  );
}

function readSettings(form: FormData): TenantInput {
  const roles = form.getAll('memberRole') as Member['role'][];
  return {
    name: readText(form, 'name'),
    sandboxMode: form.has('sandboxMode'),
    policy: {
      verificationMode: readText(form, 'policy.verificationMode') as 'L1' | 'L2',
      challengeAge: readNumber(form, 'policy.challengeAge'),
      faceMatchEnabled: form.has('policy.faceMatchEnabled'),
    },
    allowedDomains: [
      ...new Set(
        readText(form, 'allowedDomains')
          .split(/[\s,;]+/)
          .filter(Boolean),
      ),
    ],
    members: form
      .getAll('memberEmail')
      .map((email, at) => ({ email: String(email).trim(), role: roles[at] ?? 'developer' })),
  };
}

/** Leaves out what has its saved value, so that a change by someone else is not undone. */
function onlyChanges(input: TenantInput, saved: TenantResource): TenantInput {
  const now = saved as unknown as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name]),
    ),
  );
}

function Policy(policy: TenantResource['policy']): JSX.Element {
  return (
    <Panel title="Policy" testId="policy">
      <SelectField
        name="policy.verificationMode"
        label="How the age is checked"
        hint="With L1, only shoppers who look young must show an ID."
        options={[
          { value: 'L1', text: 'Selfie first, ID if needed (L1)' },
          { value: 'L2', text: 'Always an ID (L2)' },
        ]}
        value={policy.verificationMode}
        testId="mode"
      />
      <TextField
        name="policy.challengeAge"
        label="Challenge age"
        hint="Shoppers who look younger must show an ID. 25 to 99 years."
        numeric
        value={String(policy.challengeAge)}
        testId="challenge-age"
      />
      <CheckField
        name="policy.faceMatchEnabled"
        label="Compare the face with the photo on the ID"
        value={policy.faceMatchEnabled}
        testId="face-match"
      />
    </Panel>
  );
}

function Domains({ domains }: { domains: readonly string[] }): JSX.Element {
  return (
    <Panel title="Allowed domains" testId="domains">
      <Field
        name="allowedDomains"
        label="Hosts for returnUrl and cancelUrl, one a line"
        hint="shop.example, or *.shop.example for its subdomains. localhost and 127.0.0.1 are always allowed."
      >
        {(ids) => (
          <textarea
            {...ids}
            class="input"
            name="allowedDomains"
            rows={Math.max(2, domains.length + 1)}
            autocapitalize="none"
            spellcheck={false}
            placeholder="shop.example"
            data-testid="domain"
            defaultValue={domains.join('\n')}
          />
        )}
      </Field>
    </Panel>
  );
}

/** The names in the service's messages about members. */
const MEMBER_NAMES = 'members email role';

/** A member with a key, because a member has no id. */
type Row = Member & { readonly key: string };

/** Two members may have the same email. */
function toRow(member: Member, at: number): Row {
  return { ...member, key: `${at} ${member.email}` };
}

/** The members of the account. The fields keep what was typed, so only their number is state. */
function Members(props: {
  rows: readonly Row[];
  onRows: (rows: readonly Row[]) => void;
}): JSX.Element {
  const { rows, onRows } = props;
  const error = useContext(FieldErrors)(...MEMBER_NAMES.split(' '));
  const add = (): void =>
    onRows([...rows, { email: '', role: 'developer', key: crypto.randomUUID() }]);
  return (
    <Panel title="Members" testId="members">
      <p class="muted">
        Owners and admins get an email when a webhook is paused.
        {rows.length === 0 && ' No members yet. Add an owner or admin to receive the emails.'}
      </p>
      <FieldGroup name={MEMBER_NAMES} class="column">
        <ul class="stack">
          {rows.map(({ email, role, key }, at) => (
            <li key={key} class="member">
              <TextField
                name="memberEmail"
                label={`Email of member ${at + 1}`}
                hideLabel
                type="email"
                placeholder="name@shop.example"
                invalid={error !== undefined && email === ''}
                value={email}
              />
              <SelectField
                name="memberRole"
                label={`Role of member ${at + 1}`}
                hideLabel
                options={ROLES}
                value={role}
              />
              <Button
                aria-label={`Remove member ${at + 1}`}
                onPress={() => onRows(rows.filter((row) => row.key !== key))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </FieldGroup>
      <div>
        <Button small onPress={add}>
          Add member
        </Button>
      </div>
    </Panel>
  );
}
