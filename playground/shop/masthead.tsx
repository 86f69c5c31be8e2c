import type { JSX } from 'preact';
import { siteUrl } from '../shared/site.ts';
import { type Basket, countOf } from './goods.ts';

/** The head of the shop's pages. */
export function Masthead(props: { basket: Basket; here?: 'shop' | 'code' }): JSX.Element {
  const { basket, here } = props;
  const count = countOf(basket);
  // On the shop's page, a link to a part of it must not load the page again.
  const toShop = here === 'shop' ? '' : siteUrl('');
  return (
    <header class="masthead">
      <a class="masthead__name" href={siteUrl('')}>
        Kontor
      </a>
      <nav aria-label="Shop">
        <a href={`${toShop}#shelf-title`}>Shelf</a>
        <a href={`${toShop}#try-this-title`}>Try this</a>
        <a
          href={siteUrl('code/')}
          aria-current={here === 'code' ? 'page' : undefined}
          data-testid="to-code"
        >
          Code
        </a>
      </nav>
      <a
        class="masthead__basket"
        href={`${toShop}#basket-title`}
        data-testid="basket"
        data-count={count}
      >
        Basket <b>{count}</b>
      </a>
    </header>
  );
}
