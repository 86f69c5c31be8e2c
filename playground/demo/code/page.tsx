/**
 * The page "Code": every option of the SDK, and the code for the chosen ones. The shop uses the same options,
 * which are stored for the tab.
 */
import { signal, useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import '../../shared/base.css';
import '../../shop/shop.css';
import './code.css';
import { Copy } from '../../shared/console/parts.tsx';
import { SiteBar } from '../../shared/console/site-bar.tsx';
import { ChoiceField } from '../../shared/kit/choice-field.tsx';
import { formatError } from '../../shared/kit/format-error.ts';
import { Toasts } from '../../shared/kit/toast.tsx';
import { type Provider, openProvider } from '../../shared/provider.ts';
import { sdk } from '../../shared/sdk.ts';
import { IS_STATIC, siteUrl } from '../../shared/site.ts';
import { createShopApi } from '../../shop/api.ts';
import { DemoMasthead } from '../demo-masthead.tsx';
import { Problem } from '../problem.tsx';
import { type IntegrationOptions, toConstructorSettings } from '../options.ts';
import { readAccess, withServer } from '../../shop/state.ts';
import { type DemoShop, createDemoShop } from '../demo-shop.ts';
import { OptionsPanel } from './options-panel.tsx';
import { SNIPPETS, type SnippetId, type Target, toSnippet } from './snippets.ts';
import { renderPage } from '../../shared/kit/render-page.ts';

const shop = createDemoShop(createShopApi());
const provider = signal<Provider | null>(null);
const chosen = signal<SnippetId>('script');
// The static playground's service runs only in the playground's own pages, so no other page can use it.
const target = signal<Target>(IS_STATIC ? 'production' : 'mock');

async function start(): Promise<void> {
  await withServer(shop.outage, async () => {
    provider.value = await openProvider();
    await readAccess(shop);
  });
}

function Page(): JSX.Element {
  return (
    <>
      <SiteBar here="shop" provider={provider.value} />
      <DemoMasthead basket={shop.basket.value} here="code" />
      <main class="code-page">
        <div class="code-page__head">
          <div>
            <h1>The code of the age check</h1>
            <p class="muted">
              Choose the options of the SDK, copy <a href="#code-title">the code</a>, and try the
              same options in the shop.
            </p>
          </div>
          <a class="button button--primary" href={siteUrl('')} data-testid="open-shop">
            Try it in the shop
          </a>
        </div>
        {shop.outage.value !== null && (
          <p class="refused" role="alert">
            {shop.outage.value}
          </p>
        )}
        <div class="code-page__columns">
          <OptionsPanel shop={shop} />
          <CodePanel shop={shop} />
        </div>
      </main>
      <Toasts />
    </>
  );
}

function CodePanel({ shop: { options, facts, publishableKey } }: { shop: DemoShop }): JSX.Element {
  const refused = useComputed(() => {
    // The key is not known yet, or the SDK is not used.
    if (publishableKey.value === null || options.value.mode === 'server') return null;
    try {
      const OfAge = sdk();
      void new OfAge(toConstructorSettings(options.value, facts.value));
      return null;
    } catch (error) {
      return { code: String(Object(error).code ?? ''), message: formatError(error) };
    }
  });
  const code = useComputed(() => {
    // Without the key, the code would not run.
    if (target.value === 'mock' && publishableKey.value === null) return '';
    return toSnippet(chosen.value, options.value, {
      target: target.value,
      mock: {
        sdkUrl: siteUrl('sdk.min.js'),
        apiBase: siteUrl('api/v1'),
        publishableKey: facts.value.publishableKey,
      },
    });
  });
  const { name } = SNIPPETS.find(({ id }) => id === chosen.value) ?? SNIPPETS[0];
  return (
    <section class="panel" aria-labelledby="code-title">
      <div class="panel__head">
        <h2 id="code-title">Code</h2>
        {!IS_STATIC && (
          <ChoiceField
            label="The code runs against"
            options={[
              { value: 'mock', text: 'This mock' },
              { value: 'production', text: 'Production' },
            ]}
            bind={target}
            testId="target"
          />
        )}
      </div>
      <p class="panel__note">{TARGET_NOTES[target.value]}</p>
      <ChoiceField
        label="Show the code for"
        options={SNIPPETS.map((snippet) => ({ value: snippet.id, text: snippet.name }))}
        bind={chosen}
        testId="snippet"
      />
      <div role="status">
        {refused.value && (
          <p class="refused" data-testid="refused-options" data-code={refused.value.code}>
            <strong>The SDK rejects these options:</strong> <Problem {...refused.value} />
          </p>
        )}
        {adviceOn(options.value).map((line) => (
          <p key={line} class="advice" data-testid="advice">
            {line}
          </p>
        ))}
      </div>
      <div class="code">
        <Copy text={code.value} what={`the code: ${name}`} />
        {/* On a phone, the element scrolls, so it must be reachable by keyboard. */}
        <pre role="region" tabIndex={0} aria-label={`Code: ${name}`}>
          <code data-testid="snippet">{colour(code.value)}</code>
        </pre>
      </div>
    </section>
  );
}

/** Comments, strings and keywords, in this order. */
const TOKENS =
  /(\/\*[\s\S]*?\*\/|(?<![:"'])\/\/.*)|('[^'\n]*'|"[^"\n]*"|`[^`]*`)|\b(async|await|catch|const|export|from|function|if|import|new|return|throw|try|type)\b/g;

/** Colours the parts of the code that help to read it. */
function colour(code: string): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: text, index, 1: comment, 2: string } of code.matchAll(TOKENS)) {
    const otherKind = string ? 'string' : 'keyword';
    const kind = comment ? 'comment' : otherKind;
    parts.push(code.slice(end, index), <span class={`code__${kind}`}>{text}</span>);
    end = index + text.length;
  }
  return [...parts, code.slice(end)];
}

const TARGET_NOTES: Readonly<Record<Target, string>> = {
  mock: 'Runs as it is, in a page on any port of this computer. The server needs the .env block that the mock prints when it starts.',
  production: 'Replace the key, the addresses and the customer with your own.',
};

/** Returns warnings about options that the SDK accepts but that may surprise an integrator. */
function adviceOn(options: IntegrationOptions): string[] {
  const { mode } = options;
  const isNewTab = mode === 'popup' || mode === 'tab';
  const calls = [
    options.onComplete && 'onComplete',
    (options.onCancel || options.stayOnCancel) && 'onCancel',
  ].filter((name) => name !== false);
  const advice: (string | false)[] = [
    mode === 'server' &&
      'Your server creates the session, so most SDK options have no effect. Language, skipIntro and autoReturn are query parameters of verifyUrl.',
    mode === 'redirect' &&
      calls.length > 0 &&
      `${calls.join(' and ')} ${calls.length > 1 ? 'are' : 'is'} not called in redirect mode, because this page is gone by then. The return page gets the result.`,
    isNewTab &&
      options.stayOnCancel &&
      !options.cancelUrl &&
      'onCancel returns false, which has no effect without a cancelUrl.',
    [options.language, options.callLanguage].includes('nl') &&
      'nl is not supported. The SDK ignores it, and the hosted page follows the browser.',
    !options.sendsCustomer &&
      mode !== 'server' &&
      'Without externalUserId, the server cannot tell whose check it was and gives no access.',
    options.environment === 'staging' &&
      mode !== 'server' &&
      'Staging is a separate installation with its own keys. The mock also serves staging, but the static playground does not.',
  ];
  return advice.filter((line) => line !== false);
}

const root = document.getElementById('app');
renderPage(<Page />, root);
void start();
