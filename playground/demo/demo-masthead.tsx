import type { JSX } from 'preact';
import { IS_STATIC, siteUrl } from '../shared/site.ts';
import type { Basket } from '../shop/goods.ts';
import { Masthead } from '../shop/masthead.tsx';

/** The head of the shop's pages, which says that it is a demo, with links to what explains them. */
export function DemoMasthead(props: { basket: Basket; here?: 'shop' | 'code' }): JSX.Element {
  const { basket, here } = props;
  return (
    <>
      <section class="demo-note" aria-label="About this shop" data-testid="demo-note">
        Demo shop on the mock {IS_STATIC ? 'in this browser' : 'of this computer'}. Nothing is
        checked for real.
      </section>
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
    </>
  );
}
