import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../shared/kit/button.tsx';
import { SELLS_FROM } from './check-policy.ts';
import {
  type BottleShape,
  type Product,
  PRODUCTS,
  countOf,
  formatBottles,
  formatPrice,
  totalCentsOf,
} from './goods.ts';
import { MAX_QUANTITY } from '../reference-backend/price-list.ts';
import { type Shop, addToBasket } from './state.ts';

/** The products. The shopper may fill the basket before the check. */
export function Shelf({ shop }: { shop: Shop }): JSX.Element {
  // Not a toast, because the basket that it talks about may be on screen.
  const added = useSignal('');
  const basket = shop.basket.value;
  const count = countOf(basket);
  return (
    <section class="shelf-section" aria-labelledby="shelf-title">
      <BottleLight />
      <h2 id="shelf-title">The shelf</h2>
      <p class="visually-hidden" role="status" data-testid="added">
        {added.value}
      </p>
      <ul class="shelf">
        {PRODUCTS.map((product) => (
          <li key={product.sku}>
            <ProductCard
              shop={shop}
              product={product}
              onAdded={(count) => (added.value = `${product.name}: ${count} in your basket.`)}
            />
          </li>
        ))}
      </ul>
      {count > 0 && (
        <BasketBar text={`${formatBottles(count)} · ${formatPrice(totalCentsOf(basket))}`} />
      )}
    </section>
  );
}

/** Links to the basket until it is in view. */
function BasketBar({ text }: { text: string }): JSX.Element {
  const isPassed = useSignal(false);
  useEffect(() => {
    const basket = document.getElementById('basket-title');
    if (!basket) return;
    const observer = new IntersectionObserver((seen) => {
      isPassed.value = seen.at(-1)?.isIntersecting ?? false;
    });
    observer.observe(basket);
    return () => observer.disconnect();
  }, []);
  return (
    <p
      class={isPassed.value ? 'basket-bar basket-bar--passed' : 'basket-bar'}
      data-testid="basket-bar"
    >
      <span>{text}</span>
      <a class="button button--small" href="#basket-title">
        Go to basket
      </a>
    </p>
  );
}

function ProductCard(props: {
  shop: Shop;
  product: Product;
  onAdded: (count: number) => void;
}): JSX.Element {
  const { shop, product, onAdded } = props;
  const { sku, name, kind, size, priceCents } = product;
  const quantity = shop.basket.value[sku] ?? 0;
  const add = (): void => {
    addToBasket(shop, sku, 1);
    onAdded(quantity + 1);
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
      <p class="product__kind">{size}</p>
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

const OUTLINES: Readonly<Record<BottleShape, string>> = {
  wine: 'M43 8h14v34c0 9 11 12 11 26v74a8 8 0 0 1-8 8H40a8 8 0 0 1-8-8V68c0-14 11-17 11-26z',
  tall: 'M42 8h16v30c0 6 8 8 8 17v87a8 8 0 0 1-8 8H42a8 8 0 0 1-8-8V55c0-9 8-11 8-17z',
  square: 'M42 22h16v22h10a8 8 0 0 1 8 8v90a8 8 0 0 1-8 8H32a8 8 0 0 1-8-8V52a8 8 0 0 1 8-8h10z',
  round:
    'M43 16h14v30c14 4 23 18 23 36v52a16 16 0 0 1-16 16H36a16 16 0 0 1-16-16V82c0-18 9-32 23-36z',
};

/** Renders a bottle as an inline SVG, so that the shop loads no external images. */
function Bottle({ product }: { product: Product }): JSX.Element {
  const { shape, glass, label } = product;
  return (
    <svg class="bottle" viewBox="0 0 100 158" aria-hidden="true">
      <ellipse cx="50" cy="151" rx="34" ry="4" fill="#000" opacity="0.12" />
      <path d={OUTLINES[shape]} fill={glass} />
      <path d={OUTLINES[shape]} fill="url(#bottle-light)" />
      <rect x="41" y={shape === 'square' ? 12 : 4} width="18" height="16" rx="3" fill={label} />
      <rect x="32" y="84" width="36" height="42" rx="2" fill={label} />
      <path d="M38 94h24M38 100h24M44 116h12" stroke={glass} stroke-width="2.5" opacity="0.75" />
      <circle cx="50" cy="108" r="3" fill={glass} />
    </svg>
  );
}

/** Renders the gradient of the reflection on the glass. It is rendered once, and all bottles reference it. */
function BottleLight(): JSX.Element {
  return (
    <svg class="visually-hidden" aria-hidden="true">
      <defs>
        <linearGradient id="bottle-light" x1="0" x2="1" y1="0" y2="0">
          <stop offset="0" stop-color="#000" stop-opacity="0.28" />
          <stop offset="0.3" stop-color="#fff" stop-opacity="0.3" />
          <stop offset="0.5" stop-color="#fff" stop-opacity="0" />
          <stop offset="1" stop-color="#000" stop-opacity="0.3" />
        </linearGradient>
      </defs>
    </svg>
  );
}
