import type { JSX } from 'preact';
import { siteUrl } from '../shared/site.ts';
import { countOf } from './goods.ts';
import type { Shop } from './state.ts';

/** The head of the shop's pages. Shows the number of bottles on the page that has the basket. */
export function Masthead({ shop }: { shop?: Shop }): JSX.Element {
  const count = shop ? countOf(shop.basket.value) : 0;
  const toShop = shop ? '' : siteUrl('');
  return (
    <header class="masthead">
      <a class="masthead__name" href={siteUrl('')}>
        Kontor
      </a>
      <nav aria-label="Shop">
        <a href={`${toShop}#shelf-title`}>Shelf</a>
        <a href={`${toShop}#tasks-title`}>Try this</a>
        <a href={siteUrl('code/')} data-testid="to-code">
          Code
        </a>
      </nav>
      <a
        class="masthead__basket"
        href={`${toShop}#basket-title`}
        data-testid="basket"
        data-count={count}
      >
        Basket {shop && <b>{count}</b>}
      </a>
    </header>
  );
}
