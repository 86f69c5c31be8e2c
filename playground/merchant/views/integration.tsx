import { signal, useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Copy } from '../../shared/console/parts.tsx';
import { ChoiceField } from '../../shared/kit/choice-field.tsx';
import { sdk } from '../../shared/sdk.ts';
import { IS_STATIC, siteUrl } from '../../shared/site.ts';
import { adviceOn, toConstructorSettings } from '../settings.ts';
import type { Shop } from '../shop.ts';
import { SNIPPETS, type SnippetId, toSnippet } from '../snippets/snippets.ts';
import type { Target } from '../snippets/target.ts';
import { OptionsPanel } from './options-panel.tsx';

/** The integration section with every option of the SDK and the corresponding code. */
export function Integration({ shop }: { shop: Shop }): JSX.Element {
  // Collapsed on a narrow screen, where the shop itself is more important.
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
// The static playground's service runs only in the playground's own pages, so no other page can use it.
const target = signal<Target>(IS_STATIC ? 'production' : 'mock');

function CodePanel({ shop }: { shop: Shop }): JSX.Element {
  const refused = useComputed(() => refusalOf(shop));
  const code = useComputed(() =>
    toSnippet(chosen.value, shop.options.value, {
      target: target.value,
      version: sdk().VERSION,
      mock: {
        sdkUrl: siteUrl('sdk.min.js'),
        apiBase: siteUrl('api/v1'),
        publishableKey: shop.facts.value.publishableKey,
      },
    }),
  );
  const { name } = SNIPPETS.find(({ id }) => id === chosen.value) ?? SNIPPETS[0];
  return (
    <section class="panel" aria-labelledby="code-title">
      <div class="panel__head">
        <h3 id="code-title">Code</h3>
        <Copy text={code.value} what={`the code: ${name}`} />
      </div>
      {!IS_STATIC && (
        <ChoiceField
          label="The code runs against"
          class="modes"
          optionClass="mode"
          options={[
            { value: 'mock', text: 'This mock' },
            { value: 'production', text: 'Production' },
          ]}
          bind={target}
          testId="target"
        />
      )}
      <p class="panel__note">{TARGET_NOTES[target.value]}</p>
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

const TARGET_NOTES: Readonly<Record<Target, string>> = {
  mock: 'Runs as it is, in a page on any port of this computer. The server needs the .env block that npm start prints.',
  production: 'Replace the key, the addresses and the customer with your own.',
};

/**
 * Returns the SDK's error for these options. Null if the SDK accepts them or is not used, or until the key
 * is known.
 */
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
