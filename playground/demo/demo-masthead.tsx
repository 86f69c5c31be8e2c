import type { JSX } from 'preact';
import { siteUrl } from '../shared/site.ts';
import type { Basket } from '../shop/goods.ts';
import { Masthead } from '../shop/masthead.tsx';

/** The head of the shop's pages, with links to what explains them. */
export function DemoMasthead(props: { basket: Basket; here?: 'shop' | 'code' }): JSX.Element {
  const { basket, here } = props;
  return (
    <Masthead basket={basket} isInShop={here === 'shop'}>
      <a href={`${here === 'shop' ? '' : siteUrl('')}#try-this-title`}>Try this</a>
      <a
        href={siteUrl('code/')}
        aria-current={here === 'code' ? 'page' : undefined}
        data-testid="to-code"
      >
        Code
      </a>
    </Masthead>
  );
}
