import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { SiteBar } from '../../shared/console/site-bar.tsx';
import { Toasts } from '../../shared/kit/toast.tsx';
import type { Provider } from '../../shared/provider.ts';
import { countOf } from '../basket.ts';
import type { CheckPolicy } from '../check-policy.ts';
import type { Integration, Panels } from '../explanations.tsx';
import type { Guide } from '../guide.ts';
import type { Shop } from '../shop.ts';
import { Storefront } from './storefront.tsx';

/** The parts that need the service and are created once the connection to it is open. */
export interface Backstage {
  readonly provider: Provider;
  readonly policy: { readonly value: CheckPolicy | null };
}

/** The parts that explain the page and are loaded last. */
export interface Explanations {
  /** Null if there is no provider. */
  readonly guide: Guide | null;
  readonly Panels: typeof Panels;
  readonly Integration: typeof Integration;
}

export function App(props: {
  shop: Shop;
  backstage: Signal<Backstage | null>;
  explanations: Signal<Explanations | null>;
}): JSX.Element {
  const { shop } = props;
  const backstage = props.backstage.value;
  const explanations = props.explanations.value;
  const guide = explanations?.guide ?? null;
  const count = countOf(shop.basket.value);
  return (
    <>
      <SiteBar here="shop" provider={backstage?.provider ?? null} />
      <header class="masthead">
        <a class="masthead__name" href="./">
          Kontor
        </a>
        <nav aria-label="Shop">
          <a href="#shelf-title">Shelf</a>
          <a href="#tasks-title">Try this</a>
          <a href="#integration">Code</a>
        </nav>
        <a class="masthead__basket" href="#basket-title" data-testid="basket" data-count={count}>
          Basket <b>{count}</b>
        </a>
      </header>
      <div class="layout">
        <Storefront shop={shop} guide={guide} policy={backstage?.policy.value ?? null} />
        <aside class="backstage" aria-label="Behind the counter" aria-busy={!explanations}>
          {explanations && <explanations.Panels shop={shop} guide={guide} />}
        </aside>
      </div>
      {explanations && <explanations.Integration shop={shop} />}
      <footer class="footer">
        <p>Kontor is a demo. Nothing is sold or shipped, and no real age check takes place.</p>
      </footer>
      <Toasts />
    </>
  );
}
