import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { CheckField } from '../../shared/kit/check-field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import {
  BILLING_CODES,
  toBillingChange,
  toBillingDraft,
  toNumberOrText,
} from '../settings-change.ts';
import { Heading } from './bits.tsx';
import type { AppContext } from './app-context.ts';
import { Domains } from './domains.tsx';
import { Faults } from './faults.tsx';
import { Form } from './form.tsx';
import { Members } from './members.tsx';
import { NextOutcomes } from './next-outcomes.tsx';
import { useSettings } from './use-settings.ts';

export function Settings({ context }: { context: AppContext }): JSX.Element {
  return (
    <>
      <Heading title="Settings">
        Sessions in progress keep their policy, sandbox mode and billing block.
      </Heading>
      <div class="grid-2">
        <Policy context={context} />
        <Domains context={context} />
        <Account context={context} />
        <Billing context={context} />
        <Limits context={context} />
        <Members context={context} />
      </div>
      <h2 class="divider">Simulate</h2>
      <div class="grid-2">
        <NextOutcomes context={context} />
        <Faults context={context} />
      </div>
    </>
  );
}

function Policy({ context }: { context: AppContext }): JSX.Element {
  const { verificationMode, challengeAge, faceMatchEnabled } = context.tenant.policy;
  const saved = { verificationMode, challengeAge: String(challengeAge), faceMatchEnabled };
  const { draft, submission, field, save } = useSettings(context, 'policy.', saved);
  const submit = (): void => {
    const challengeAge = toNumberOrText(draft.value.challengeAge);
    save({ policy: { ...draft.value, challengeAge } }, 'Policy saved');
  };
  return (
    <Panel title="Policy" testId="policy">
      <Form submission={submission} submit="Save policy" onSubmit={submit}>
        <SelectField
          label="Verification mode"
          hint="L1 estimates the age from a face and asks for an ID if unsure. L2 always asks for an ID."
          options={['L1', 'L2']}
          bind={field('verificationMode')}
          testId="mode"
        />
        <TextField
          label="Challenge age"
          hint="Shoppers who look younger must show an ID. 25 to 99 years."
          numeric
          bind={field('challengeAge')}
          testId="challenge-age"
        />
        <CheckField
          label="Match the face to the ID"
          bind={field('faceMatchEnabled')}
          testId="face-match"
        />
      </Form>
    </Panel>
  );
}

function Account({ context }: { context: AppContext }): JSX.Element {
  const { name, sandboxMode } = context.tenant;
  const { draft, submission, field, save } = useSettings(context, '', { name, sandboxMode });
  const submit = (): void => save(draft.value, 'Account saved');
  return (
    <Panel title="Account" testId="account-settings">
      <Form submission={submission} submit="Save account" onSubmit={submit}>
        <TextField
          label="Name"
          hint="Shoppers see this name, unless the session sets a merchant name."
          bind={field('name')}
        />
        <CheckField
          label="Sandbox: shoppers choose the outcome on the hosted page"
          bind={field('sandboxMode')}
          testId="sandbox"
        />
      </Form>
    </Panel>
  );
}

function Billing({ context }: { context: AppContext }): JSX.Element {
  const saved = toBillingDraft(context.tenant.billingBlock);
  const { draft, submission, field, save } = useSettings(context, 'billingBlock.', saved);
  const isBlocked = draft.value.code !== '';
  const submit = (): void =>
    save(toBillingChange(draft.value), isBlocked ? 'Billing block saved' : 'Billing block removed');
  return (
    <Panel title="Billing block" testId="billing">
      <Form submission={submission} submit="Save billing block" onSubmit={submit}>
        <SelectField
          label="Block"
          hint="While blocked, sessions are created but no verification can start."
          options={[{ value: '', text: 'none' }, ...BILLING_CODES]}
          bind={field('code')}
          testId="billing-code"
        />
        {isBlocked && (
          <>
            <TextField label="Message" bind={field('message')} />
            <TextField
              label="Portal URL"
              hint="The page where you resolve the block (optional)."
              inputMode="url"
              bind={field('portalUrl')}
            />
          </>
        )}
      </Form>
    </Panel>
  );
}

const LIMITS = [
  { name: 'rateLimits.create', label: 'Create requests per 60 s' },
  { name: 'rateLimits.validate', label: 'Validate requests per 60 s' },
  { name: 'timeoutAttempts', label: 'Delivery attempts for session.timeout' },
] as const;

function Limits({ context }: { context: AppContext }): JSX.Element {
  const { rateLimits, timeoutAttempts } = context.tenant;
  const { draft, submission, field, save } = useSettings(context, '', {
    'rateLimits.create': String(rateLimits.create),
    'rateLimits.validate': String(rateLimits.validate),
    timeoutAttempts: String(timeoutAttempts),
  });
  const submit = (): void => {
    const read = (name: keyof typeof draft.value) => toNumberOrText(draft.value[name]);
    const [create, validate] = [read('rateLimits.create'), read('rateLimits.validate')];
    const timeoutAttempts = read('timeoutAttempts');
    save({ rateLimits: { create, validate }, timeoutAttempts }, 'Limits saved');
  };
  return (
    <Panel title="Limits" testId="limits">
      <Form submission={submission} submit="Save limits" onSubmit={submit}>
        <p class="muted">All keys share the request limits. Above them, the API returns 429.</p>
        {LIMITS.map(({ name, label }) => (
          <TextField key={name} label={label} numeric bind={field(name)} />
        ))}
      </Form>
    </Panel>
  );
}
