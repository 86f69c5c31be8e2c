/**
 * The shop's page. Its query string sets options, for example `?mode=redirect|popup|tab|server`,
 * `language=de`, `skipIntro`, `autoReturn`, `cancelUrl`, `stayOnCancel` (each `=true`). They are stored for
 * the tab. options.ts has the full list, and the page "Code" changes them.
 */
import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import '../shared/base.css';
import '../shop/shop.css';
import { SiteBar } from '../shared/console/site-bar.tsx';
import { formatError } from '../shared/kit/format-error.ts';
import { Toasts } from '../shared/kit/toast.tsx';
import { type Provider, openProvider } from '../shared/provider.ts';
import { createShopApi } from '../shop/api.ts';
import { BasketSection } from '../shop/basket-section.tsx';
import type { CheckPolicy } from '../shop/check-policy.ts';
import { toAdvice } from './advice.tsx';
import { CheckLinks, findCheckedSession } from './check-links.tsx';
import { DemoMasthead } from './demo-masthead.tsx';
import { createDemoShop, readOptionsAgain } from './demo-shop.ts';
import type * as Panels from './panels.tsx';
import type { Guide } from './guide.ts';
import { followPolicy } from './follow-policy.ts';
import { followServer } from './follow-server.ts';
import { AgeGate } from '../shop/age-gate.tsx';
import { Shelf } from '../shop/shelf.tsx';
import { showCancelledAddress } from '../shop/age-check.ts';
import { TasksDone } from './tasks-done.tsx';
import { renderPage } from '../shared/kit/render-page.ts';

const shop = createDemoShop(createShopApi());
const provider = signal<Provider | null>(null);
const policy = signal<{ readonly value: CheckPolicy | null }>({ value: null });
/** The panels that explain the page, which a real shop would not have. Null until they are loaded. */
const demo = signal<{ readonly panels: typeof Panels; readonly guide: Guide | null } | null>(null);

const root = document.getElementById('app');
renderPage(<Page />, root);
void start();

async function start(): Promise<void> {
  showCancelledAddress(shop);
  window.addEventListener('pageshow', ({ persisted }) => {
    // The shopper comes back from the page "Code", which may have changed the options.
    if (persisted) readOptionsAgain(shop);
  });
  const opened = await openProvider().catch((error: unknown) => {
    shop.outage.value = formatError(error);
    return null;
  });
  if (opened) {
    const { firstRead } = followServer(shop, opened.live);
    provider.value = opened;
    policy.value = followPolicy(shop.api, opened).policy;
    await firstRead;
  }
  // Loaded last, because the panels are large and no check needs them.
  const panels = await import('./panels.tsx');
  demo.value = { panels, guide: opened && panels.createGuide(shop, opened) };
}

function Page(): JSX.Element {
  const { panels, guide = null } = demo.value ?? {};
  return (
    <>
      <SiteBar here="shop" provider={provider.value} />
      <DemoMasthead basket={shop.basket.value} here="shop" />
      <main class="layout">
        <section class="hero">
          <p class="hero__kicker">Harbour street 9 · since 1871</p>
          <h1>Wine and spirits with salt in the air</h1>
          <AgeGate shop={shop} policy={policy.value.value} advice={toAdvice(shop, guide)} />
          <CheckLinks sessionId={findCheckedSession(shop)} options={shop.options.value} />
        </section>
        <aside class="layout__side" aria-label="About this demo" aria-busy={!panels}>
          {panels && (
            <>
              <panels.TryThis guide={guide} />
              <panels.StatusPanel shop={shop} guide={guide} />
            </>
          )}
        </aside>
        <Shelf shop={shop} />
        <BasketSection shop={shop} afterOrder={<AfterOrder guide={guide} />} />
      </main>
      <Toasts />
    </>
  );
}

function AfterOrder({ guide }: { guide: Guide | null }): JSX.Element {
  return (
    <>
      <TasksDone guide={guide} />
      <CheckLinks
        sessionId={shop.confirmation.value?.sessionId ?? null}
        options={shop.options.value}
      />
    </>
  );
}
