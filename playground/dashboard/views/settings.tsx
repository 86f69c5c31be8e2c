import { useSignal } from '@preact/signals';
import type { TenantInput } from 'ofage/mock';
import type { JSX } from 'preact';
import { announce, attempt } from '../../shared/console/announce.tsx';
import { Field, Panel } from '../../shared/console/parts.tsx';
import { changeDomains } from '../change-domains.ts';
import type { Draft } from '../draft.ts';
import {
  addDomains,
  BILLING_CODES,
  ROLES,
  toBillingChange,
  toBillingDraft,
  toNumberOrText,
} from '../settings-change.ts';
import { Heading } from './bits.tsx';
import type { Desk } from './desk.ts';
import { Form, type Submission, useSubmission } from './form.tsx';
import { Faults, NextOutcomes } from './steering.tsx';
import { useDraft } from './use-draft.ts';

export function Settings({ desk }: { desk: Desk }): JSX.Element {
  return (
    <>
      <Heading title="Settings">
        They hold for the sessions that begin from now on; those that are under way keep theirs.
      </Heading>
      <div class="grid-2">
        <Policy desk={desk} />
        <Domains desk={desk} />
        <Account desk={desk} />
        <Billing desk={desk} />
        <Limits desk={desk} />
        <Members desk={desk} />
      </div>
      <h2 class="divider">What happens next, on purpose</h2>
      <div class="grid-2">
        <NextOutcomes desk={desk} />
        <Faults desk={desk} />
      </div>
    </>
  );
}

function useSave(
  { provider, tenant }: Desk,
  draft: Draft<object>,
  fields: readonly string[],
): { submission: Submission; save: (change: TenantInput, done: string) => void } {
  const submission = useSubmission(fields);
  return {
    submission,
    save: (change, done) => {
      const accept = draft.send();
      void submission
        .run(() => provider.control('PATCH', `/tenants/${tenant.id}`, change), done)
        .then((isSaved) => isSaved && accept());
    },
  };
}

/** Changes one value of a draft. */
const set =
  <T extends object>(draft: Draft<T>) =>
  (change: Partial<T>): void =>
    void (draft.value = { ...draft.value, ...change });

function Policy({ desk }: { desk: Desk }): JSX.Element {
  const { verificationMode, challengeAge, faceMatchEnabled } = desk.tenant.policy;
  const draft = useDraft({ verificationMode, age: String(challengeAge), faceMatchEnabled });
  const change = set(draft);
  const { submission, save } = useSave(desk, draft, [
    'policy.verificationMode',
    'policy.challengeAge',
  ]);
  const problems = submission.problems.value;
  const submit = (): void => {
    const { age, ...rest } = draft.value;
    save({ policy: { ...rest, challengeAge: toNumberOrText(age) } }, 'Policy saved');
  };
  return (
    <Panel title="Policy" testId="policy">
      <Form submission={submission} submit="Save policy" onSubmit={submit}>
        <Field
          label="Verification mode"
          hint="L1 estimates the age from a face, and asks for a document when in doubt; L2 always asks."
          problem={problems.of('policy.verificationMode')}
        >
          {(ids) => (
            <select
              {...ids}
              class="input"
              data-testid="mode"
              value={draft.value.verificationMode}
              onChange={({ currentTarget }) =>
                change({ verificationMode: currentTarget.value === 'L2' ? 'L2' : 'L1' })
              }
            >
              <option>L1</option>
              <option>L2</option>
            </select>
          )}
        </Field>
        <Field
          label="Challenge age"
          hint="Years, 25 to 99."
          problem={problems.of('policy.challengeAge')}
        >
          {(ids) => (
            <input
              {...ids}
              class="input input--short"
              data-testid="challenge-age"
              inputMode="numeric"
              value={draft.value.age}
              onInput={({ currentTarget }) => change({ age: currentTarget.value })}
            />
          )}
        </Field>
        <label class="check">
          <input
            type="checkbox"
            data-testid="face-match"
            checked={draft.value.faceMatchEnabled}
            onChange={({ currentTarget }) => change({ faceMatchEnabled: currentTarget.checked })}
          />
          Match the face with the document
        </label>
      </Form>
    </Panel>
  );
}

function Domains({ desk }: { desk: Desk }): JSX.Element {
  const { provider, tenant } = desk;
  const { allowedDomains } = tenant;
  const typed = useSignal('');
  const submission = useSubmission(['allowedDomains']);
  const add = (): void => {
    const text = typed.value;
    if (addDomains([], text).length === 0) return;
    void submission
      .run(
        () => changeDomains(provider, tenant.id, (domains) => addDomains(domains, text)),
        'Allowed domains saved',
      )
      .then((isSaved) => isSaved && typed.value === text && (typed.value = ''));
  };
  const remove = (domain: string): Promise<boolean> =>
    attempt(async () => {
      await changeDomains(provider, tenant.id, (domains) =>
        domains.filter((one) => one !== domain),
      );
      announce(`Removed ${domain}`);
    });
  return (
    <Panel title="Allowed domains" testId="domains">
      <p class="muted">
        Where a shopper may return to. <code>localhost</code> and <code>127.0.0.1</code> always are.
      </p>
      {allowedDomains.length === 0 ? (
        <p class="empty">None yet: a real shop’s returnUrl is refused until its host is here.</p>
      ) : (
        <ul class="tags" aria-label="Allowed domains">
          {allowedDomains.map((domain) => (
            <li key={domain} class="tag">
              <span class="mono break">{domain}</span>
              <button
                type="button"
                class="tag__remove"
                aria-label={`Remove ${domain}`}
                onClick={() => void remove(domain)}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <Form submission={submission} submit="Add" onSubmit={add}>
        <Field
          label="Add a host"
          hint="shop.example, or *.shop.example for the hosts below it. Several at once are fine."
          problem={submission.problems.value.of('allowedDomains')}
        >
          {(ids) => (
            <input
              {...ids}
              class="input"
              data-testid="domain"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={typed.value}
              onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
            />
          )}
        </Field>
      </Form>
    </Panel>
  );
}

function Account({ desk }: { desk: Desk }): JSX.Element {
  const { name, sandboxMode } = desk.tenant;
  const draft = useDraft({ name, sandboxMode });
  const change = set(draft);
  const { submission, save } = useSave(desk, draft, ['name', 'sandboxMode']);
  return (
    <Panel title="Account" testId="account-settings">
      <Form
        submission={submission}
        submit="Save account"
        onSubmit={() => save(draft.value, 'Account saved')}
      >
        <Field
          label="Name"
          hint="What shoppers read, unless the session names another merchant."
          problem={submission.problems.value.of('name')}
        >
          {(ids) => (
            <input
              {...ids}
              class="input"
              value={draft.value.name}
              onInput={({ currentTarget }) => change({ name: currentTarget.value })}
            />
          )}
        </Field>
        <label class="check">
          <input
            type="checkbox"
            data-testid="sandbox"
            checked={draft.value.sandboxMode}
            onChange={({ currentTarget }) => change({ sandboxMode: currentTarget.checked })}
          />
          Sandbox: the hosted page offers a choice of outcomes
        </label>
      </Form>
    </Panel>
  );
}

function Billing({ desk }: { desk: Desk }): JSX.Element {
  const draft = useDraft(toBillingDraft(desk.tenant.billingBlock));
  const change = set(draft);
  const { submission, save } = useSave(desk, draft, [
    'billingBlock.code',
    'billingBlock.message',
    'billingBlock.portalUrl',
  ]);
  const problems = submission.problems.value;
  const { code, message, portalUrl } = draft.value;
  return (
    <Panel title="Billing block" testId="billing">
      <Form
        submission={submission}
        submit="Save block"
        onSubmit={() =>
          save(toBillingChange(draft.value), code === '' ? 'Block lifted' : 'Block saved')
        }
      >
        <Field
          label="Block"
          hint="A blocked account still gets sessions, but no verification starts."
          problem={problems.of('billingBlock.code')}
        >
          {(ids) => (
            <select
              {...ids}
              class="input"
              data-testid="billing-code"
              value={code}
              onChange={({ currentTarget }) => change({ code: currentTarget.value })}
            >
              <option value="">none</option>
              {BILLING_CODES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </Field>
        {code !== '' && (
          <>
            <Field label="Message" problem={problems.of('billingBlock.message')}>
              {(ids) => (
                <input
                  {...ids}
                  class="input"
                  value={message}
                  onInput={({ currentTarget }) => change({ message: currentTarget.value })}
                />
              )}
            </Field>
            <Field
              label="Portal URL"
              hint="Where the merchant settles it; may be left empty."
              problem={problems.of('billingBlock.portalUrl')}
            >
              {(ids) => (
                <input
                  {...ids}
                  class="input"
                  inputMode="url"
                  value={portalUrl}
                  onInput={({ currentTarget }) => change({ portalUrl: currentTarget.value })}
                />
              )}
            </Field>
          </>
        )}
      </Form>
    </Panel>
  );
}

const LIMITS = [
  { field: 'rateLimits.create', key: 'create', label: 'Create calls in 60 s' },
  { field: 'rateLimits.validate', key: 'validate', label: 'Validate calls in 60 s' },
  { field: 'timeoutAttempts', key: 'timeout', label: 'Attempts for a timeout event' },
] as const;

function Limits({ desk }: { desk: Desk }): JSX.Element {
  const { rateLimits, timeoutAttempts } = desk.tenant;
  const draft = useDraft({
    create: String(rateLimits.create),
    validate: String(rateLimits.validate),
    timeout: String(timeoutAttempts),
  });
  const { submission, save } = useSave(
    desk,
    draft,
    LIMITS.map(({ field }) => field),
  );
  const submit = (): void => {
    const { create, validate, timeout } = draft.value;
    const rateLimits = { create: toNumberOrText(create), validate: toNumberOrText(validate) };
    save({ rateLimits, timeoutAttempts: toNumberOrText(timeout) }, 'Limits saved');
  };
  return (
    <Panel title="Limits" testId="limits">
      <Form submission={submission} submit="Save limits" onSubmit={submit}>
        <p class="muted">All keys of the account share them. Beyond, the API answers 429.</p>
        {LIMITS.map(({ field, key, label }) => (
          <Field key={field} label={label} problem={submission.problems.value.of(field)}>
            {(ids) => (
              <input
                {...ids}
                class="input input--short"
                inputMode="numeric"
                value={draft.value[key]}
                onInput={({ currentTarget }) => set(draft)({ [key]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
      </Form>
    </Panel>
  );
}

function Members({ desk }: { desk: Desk }): JSX.Element {
  const draft = useDraft(desk.tenant.members);
  const { submission, save } = useSave(desk, draft, ['members', 'email', 'role']);
  const change = (at: number, member: Partial<(typeof draft.value)[number]>): void => {
    draft.value = draft.value.map((one, index) => (index === at ? { ...one, ...member } : one));
  };
  const problem = submission.problems.value.of('members', 'email', 'role');
  return (
    <Panel title="Members" testId="members">
      <Form
        submission={submission}
        submit="Save members"
        onSubmit={() => save({ members: [...draft.value] }, 'Members saved')}
        actions={
          <button
            type="button"
            class="button"
            onClick={() => (draft.value = [...draft.value, { email: '', role: 'developer' }])}
          >
            Add a member
          </button>
        }
      >
        <p class="muted">Owners and admins are mailed when webhooks are paused.</p>
        {draft.value.length === 0 && <p class="empty">Nobody: no e-mail would reach anyone.</p>}
        <ul class="stack">
          {draft.value.map(({ email, role }, at) => (
            // Members have no id, and keep their place while one types.
            <li key={at} class="member">
              <input
                class="input"
                type="email"
                aria-label={`E-mail of member ${at + 1}`}
                aria-invalid={problem !== undefined && email === '' ? true : undefined}
                value={email}
                onInput={({ currentTarget }) => change(at, { email: currentTarget.value })}
              />
              <select
                class="input"
                aria-label={`Role of member ${at + 1}`}
                value={role}
                onChange={({ currentTarget }) =>
                  change(at, { role: ROLES.find((one) => one === currentTarget.value) ?? role })
                }
              >
                {ROLES.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
              <button
                type="button"
                class="button button--small"
                aria-label={`Remove member ${at + 1}`}
                onClick={() => (draft.value = draft.value.filter((_, index) => index !== at))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
        {problem && (
          <p class="field__problem" role="alert">
            {problem}
          </p>
        )}
      </Form>
    </Panel>
  );
}
