import type { JSX } from 'preact';
import { siteUrl } from '../shared/site.ts';
import type { DemoShop } from './demo-shop.ts';
import { type IntegrationOptions, writeOptions } from './options.ts';

/**
 * Links from a check to all of its messages, and to the code with the options that started it.
 * @param props.sessionId The session of the check. With null, there are no links.
 */
export function CheckLinks(props: {
  sessionId: string | null;
  options: IntegrationOptions;
}): JSX.Element | null {
  const { sessionId, options } = props;
  if (sessionId === null) return null;
  return (
    <p class="check-links">
      <a href={siteUrl(`console/#timeline?session=${sessionId}`)} data-testid="to-timeline">
        Every message of this check
      </a>
      <a href={siteUrl(`code/?${writeOptions(options)}`)} data-testid="to-its-code">
        The code of this check
      </a>
    </p>
  );
}

/** Returns the session of the customer's newest check. Null before the first one, and while one is open. */
export function findCheckedSession({ hint, decision, access }: DemoShop): string | null {
  const latest = hint.value;
  if (latest?.status === 'waiting' || latest?.status === 'leaving') return null;
  const known = latest?.sessionId ?? decision.value?.validation?.sessionId;
  return known ?? access.value?.webhooks[0]?.sessionId ?? null;
}
