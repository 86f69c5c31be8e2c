import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Panel } from '../../shared/console/parts.tsx';
import { ValueChip } from '../../shared/kit/chip.tsx';
import { EmptyState } from '../../shared/kit/empty-state.tsx';
import { TextField } from '../../shared/kit/text-field.tsx';
import { announce, attempt } from '../../shared/kit/toast.tsx';
import { changeDomains } from '../change-domains.ts';
import { addDomains } from '../settings-change.ts';
import type { AppContext } from './app-context.ts';
import { Form, useSubmission } from './form.tsx';

/** Shows the hosts to which the account's sessions may redirect the shopper. */
export function Domains({ context }: { context: AppContext }): JSX.Element {
  const { provider, tenant } = context;
  const { allowedDomains } = tenant;
  const typed = useSignal('');
  const submission = useSubmission(['allowedDomains']);
  const add = (): void => {
    const text = typed.value;
    if (addDomains([], text).length === 0) return;
    void submission
      .run(
        () => changeDomains(provider.client, tenant.id, (domains) => addDomains(domains, text)),
        'Allowed domains saved',
      )
      .then((isSaved) => isSaved && typed.value === text && (typed.value = ''));
  };
  const remove = (domain: string): Promise<boolean> =>
    attempt(async () => {
      await changeDomains(provider.client, tenant.id, (domains) =>
        domains.filter((one) => one !== domain),
      );
      announce(`Removed ${domain}`);
    });
  return (
    <Panel title="Allowed domains" testId="domains">
      <p class="muted">
        Hosts for returnUrl and cancelUrl. <code>localhost</code> and <code>127.0.0.1</code> are
        always allowed.
      </p>
      {allowedDomains.length === 0 ? (
        <EmptyState title="No domains yet. Add one to use it in returnUrl." />
      ) : (
        <ul class="tags" aria-label="Allowed domains">
          {allowedDomains.map((domain) => (
            <li key={domain}>
              <ValueChip remove={{ label: `Remove ${domain}`, onPress: () => remove(domain) }}>
                <span class="mono break">{domain}</span>
              </ValueChip>
            </li>
          ))}
        </ul>
      )}
      <Form submission={submission} submit="Add domain" onSubmit={add}>
        <TextField
          label="New domain"
          hint="shop.example, or *.shop.example for its subdomains. Separate several with spaces."
          error={submission.problems.value.of('allowedDomains')}
          verbatim
          bind={typed}
          testId="domain"
        />
      </Form>
    </Panel>
  );
}
