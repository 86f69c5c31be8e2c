import { signal, useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Copy } from '../../shared/console/parts.tsx';
import { ChoiceField } from '../../shared/kit/choice-field.tsx';
import { sdk } from '../../shared/sdk.ts';
import { adviceOn, toConstructorSettings } from '../settings.ts';
import type { Shop } from '../shop.ts';
import { SNIPPETS, type SnippetId, toSnippet } from '../snippets.ts';
import { OptionsPanel } from './options-panel.tsx';

/** The integration section with every option of the SDK and the corresponding code. */
export function Integration({ shop }: { shop: Shop }): JSX.Element {
  // Collapsed on a phone, where the shop itself is more important.
  const isOpen = useSignal(matchMedia('(min-width: 64rem)').matches);
  return (
    <details
      class="integration"
      id="integration"
      open={isOpen.value}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>
        <h2>The integration</h2>
        <span class="muted">Every SDK option, and the code for it</span>
      </summary>
      <div class="integration__columns">
        <OptionsPanel shop={shop} />
        <CodePanel shop={shop} />
      </div>
    </details>
  );
}

const chosen = signal<SnippetId>('script');

function CodePanel({ shop }: { shop: Shop }): JSX.Element {
  const refused = useComputed(() => refusalOf(shop));
  const code = useComputed(() =>
    toSnippet(chosen.value, shop.options.value, {
      ...shop.facts.value,
      version: sdk().VERSION,
    }),
  );
  const { name } = SNIPPETS.find(({ id }) => id === chosen.value) ?? SNIPPETS[0];
  return (
    <section class="panel" aria-labelledby="code-title">
      <div class="panel__head">
        <h3 id="code-title">Code</h3>
        <Copy text={code.value} what={`the code: ${name}`} />
      </div>
      <ChoiceField
        label="Show the code for"
        class="modes modes--snippets"
        optionClass="mode"
        options={SNIPPETS.map((snippet) => ({ value: snippet.id, text: snippet.name }))}
        bind={chosen}
        testId="snippet"
      />
      <div role="status">
        {refused.value && (
          <p class="refused" data-testid="refused-options" data-code={refused.value.code}>
            <strong>The SDK rejects these options:</strong> {refused.value.message}{' '}
            <code>{refused.value.code}</code>
          </p>
        )}
        {adviceOn(shop.options.value).map((line) => (
          <p key={line} class="advice" data-testid="advice">
            {line}
          </p>
        ))}
      </div>
      {/* The element scrolls, so it must be reachable by keyboard. */}
      <pre class="code" role="region" tabIndex={0} aria-label={`Code: ${name}`}>
        <code data-testid="snippet">{code.value}</code>
      </pre>
    </section>
  );
}

/** Returns the SDK's error for these options, or null if it accepts them. */
function refusalOf({ options, facts, publishableKey }: Shop): {
  code: string;
  message: string;
} | null {
  if (publishableKey.value === null || options.value.mode === 'server') return null;
  try {
    const OfAge = sdk();
    void new OfAge(toConstructorSettings(options.value, facts.value));
    return null;
  } catch (error) {
    const { code, message }: Record<string, unknown> = Object(error);
    return { code: String(code ?? ''), message: String(message) };
  }
}
