import type { Member } from 'ofage/mock';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { Button } from '../../shared/kit/button.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { FieldError } from '../../shared/kit/field.tsx';
import { SelectField } from '../../shared/kit/select-field.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { ROLES } from '../settings-change.ts';
import type { AppContext } from './app-context.ts';
import { Form, useSubmission } from './form.tsx';
import { useDraft } from './use-draft.ts';
import { toSave } from './use-settings.ts';

/** Shows the members of the account. Owners and admins get an email when a webhook is paused. */
export function Members({ context }: { context: AppContext }): JSX.Element {
  const draft = useDraft(context.tenant.members);
  const submission = useSubmission(['members', 'email', 'role']);
  const save = toSave(context, draft, submission);
  const members = draft.value;
  const error = submission.problems.value.of('members', 'email', 'role');
  return (
    <Panel title="Members" testId="members">
      <Form
        submission={submission}
        submit="Save members"
        onSubmit={() => save({ members: [...members] }, 'Members saved')}
        actions={
          <Button
            onPress={() => (draft.value = [...draft.value, { email: '', role: 'developer' }])}
          >
            Add member
          </Button>
        }
      >
        <p class="muted">Owners and admins get an email when a webhook is paused.</p>
        {members.length === 0 && (
          <EmptyState title="No members yet. Add an owner or admin to receive the emails." />
        )}
        <ul class="stack">
          {members.map((member, at) => (
            // Members have no id. Their index identifies them while the list is edited.
            <li key={at} class="member">
              <MemberRow
                member={member}
                n={at + 1}
                isMissing={error !== undefined && member.email === ''}
                change={(changed) =>
                  (draft.value = draft.value.with(at, { ...member, ...changed }))
                }
                remove={() => (draft.value = draft.value.toSpliced(at, 1))}
              />
            </li>
          ))}
        </ul>
        <FieldError error={error} />
      </Form>
    </Panel>
  );
}

function MemberRow(props: {
  member: Member;
  /** The number of the member, starting at 1. */
  n: number;
  isMissing: boolean;
  change: (changed: Partial<Member>) => void;
  remove: () => void;
}): JSX.Element {
  const { member, n, isMissing, change, remove } = props;
  return (
    <>
      <TextField
        label={`Email of member ${n}`}
        hideLabel
        type="email"
        invalid={isMissing}
        value={member.email}
        onValue={(email) => change({ email })}
      />
      <SelectField
        label={`Role of member ${n}`}
        hideLabel
        options={ROLES}
        value={member.role}
        onValue={(role) => change({ role })}
      />
      <Button small aria-label={`Remove member ${n}`} onPress={remove}>
        Remove
      </Button>
    </>
  );
}
