import type { ComponentChildren, JSX } from 'preact';
import { siteUrl } from '../shared/site.ts';
import { type Basket, countOf } from './goods.ts';

/** The head of the shop's pages. */
export function Masthead(props: {
  basket: Basket;
  /** True on the shop's page, where a link to a part of it must not load the page again. */
  isInShop?: boolean;
  /** Further links. */
  children?: ComponentChildren;
}): JSX.Element {
  const { basket, isInShop = false, children } = props;
  const count = countOf(basket);
  const toShop = isInShop ? '' : siteUrl('');
  return (
    <header class="masthead">
      <a class="masthead__name" href={siteUrl('')}>
        Kontor
      </a>
      <nav aria-label="Shop">
        <a href={`${toShop}#shelf-title`}>Shelf</a>
        {children}
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
