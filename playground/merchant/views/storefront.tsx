import type { JSX } from 'preact';
import { MAX_QUANTITY } from '../../merchant-backend/price-list.ts';
import { Button } from '../../shared/kit/button.tsx';
import { announce } from '../../shared/kit/toast.tsx';
import { type CheckPolicy, SELLS_FROM } from '../check-policy.ts';
import type { Guide } from '../guide.ts';
import { type Product, PRODUCTS } from '../products.ts';
import { type Shop, addToBasket } from '../shop.ts';
import { BasketSection } from './basket-section.tsx';
import { Bottle, BottleLight } from './bottle.tsx';
import { Gate } from './gate.tsx';
import { formatPrice } from './price.ts';

/** The part of the page for shoppers: the gate, the shelf and the basket. */
export function Storefront(props: {
  shop: Shop;
  guide: Guide | null;
  policy: CheckPolicy | null;
}): JSX.Element {
  const { shop, guide, policy } = props;
  return (
    <main class="storefront">
      <BottleLight />
      <section class="hero">
        <p class="hero__kicker">Harbour street 9 · since 1871</p>
        <h1>Wine and spirits with salt in the air</h1>
        <Gate shop={shop} guide={guide} policy={policy} />
      </section>
      <section aria-labelledby="shelf-title">
        <h2 id="shelf-title">The shelf</h2>
        <ul class="shelf">
          {PRODUCTS.map((product) => (
            <li key={product.sku}>
              <ProductCard shop={shop} product={product} />
            </li>
          ))}
        </ul>
      </section>
      <BasketSection shop={shop} guide={guide} />
    </main>
  );
}

function ProductCard({ shop, product }: { shop: Shop; product: Product }): JSX.Element {
  const { sku, name, kind, size, priceCents } = product;
  const quantity = shop.basket.value[sku] ?? 0;
  const add = (): void => {
    addToBasket(shop, sku, 1);
    announce(`${name} is in your basket.`, { text: 'Go to basket', href: '#basket-title' });
  };
  return (
    <article class="product">
      <div class="product__stage">
        <Bottle product={product} />
        {quantity > 0 && (
          <a class="product__count" href="#basket-title">
            {quantity} in basket<span class="visually-hidden">: {name}</span>
          </a>
        )}
        <span class="product__age" title={`Sold from ${SELLS_FROM}`}>
          {SELLS_FROM}+
        </span>
      </div>
      <h3>{name}</h3>
      <p class="product__kind">{kind}</p>
      <p class="product__size">{size}</p>
      <div class="product__buy">
        <span class="product__price">{formatPrice(priceCents)}</span>
        <Button
          small
          unavailable={quantity >= MAX_QUANTITY}
          aria-label={`Add to basket: ${name}`}
          onPress={add}
          testId="buy"
        >
          Add
        </Button>
      </div>
    </article>
  );
}
