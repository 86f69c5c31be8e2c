import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../shared/kit/button.tsx';
import { useBusy } from '../shared/kit/use-busy.ts';
import type { Order, Refusal } from './api.ts';
import { MAX_QUANTITY } from '../reference-backend/price-list.ts';
import { type BasketLine, formatPrice, linesOf, totalCentsOf } from './goods.ts';
import { type Shop, addToBasket, checkOut } from './state.ts';
import { verifyAge } from './age-check.ts';

/** The basket, or the confirmation after an order. */
export function BasketSection(props: {
  shop: Shop;
  /** Shown in the confirmation. It may appear later, and screen readers then announce it. */
  afterOrder?: ComponentChildren;
}): JSX.Element {
  const { shop, afterOrder } = props;
  const order = shop.confirmation.value;
  return (
    <section class="basket" aria-labelledby="basket-title">
      {order ? (
        <Confirmation shop={shop} order={order} afterOrder={afterOrder} />
      ) : (
        <Basket shop={shop} />
      )}
    </section>
  );
}

function Basket({ shop }: { shop: Shop }): JSX.Element {
  const lines = linesOf(shop.basket.value);
  return (
    <>
      <h2 id="basket-title" tabIndex={-1}>
        Your basket
      </h2>
      {lines.length === 0 ? (
        <p class="muted" data-testid="basket-empty">
          Your basket is empty. Add something from <a href="#shelf-title">the shelf</a>.
        </p>
      ) : (
        <>
          <ul class="lines">
            {lines.map((line) => (
              <li key={line.product.sku} data-testid="line">
                <Line shop={shop} line={line} />
              </li>
            ))}
          </ul>
          <Total cents={totalCentsOf(shop.basket.value)} />
          <CheckOut shop={shop} />
        </>
      )}
      <div role="status">
        {shop.orderError.value !== null && (
          <p class="refused" data-testid="order-error">
            {shop.orderError.value}
          </p>
        )}
        {shop.refusal.value !== null && <Refused shop={shop} refusal={shop.refusal.value} />}
      </div>
    </>
  );
}

function Line({ shop, line }: { shop: Shop; line: BasketLine }): JSX.Element {
  const { quantity } = line;
  const { sku, name, priceCents } = line.product;
  return (
    <>
      <span class="lines__name">{name}</span>
      <span class="lines__count" role="group" aria-label={`Quantity: ${name}`}>
        <Button
          variant="bare"
          class="round"
          aria-label={`Remove one: ${name}`}
          onPress={() => addToBasket(shop, sku, -1)}
        >
          −
        </Button>
        <span aria-live="polite">{quantity}</span>
        <Button
          variant="bare"
          class="round"
          aria-label={`Add one: ${name}`}
          unavailable={quantity >= MAX_QUANTITY}
          onPress={() => addToBasket(shop, sku, 1)}
        >
          +
        </Button>
      </span>
      <span class="lines__price">{formatPrice(priceCents * quantity)}</span>
    </>
  );
}

function Total({ cents }: { cents: number }): JSX.Element {
  return (
    <p class="total">
      <span>Total</span>
      <strong data-testid="total">{formatPrice(cents)}</strong>
    </p>
  );
}

function CheckOut({ shop }: { shop: Shop }): JSX.Element {
  const sending = useBusy();
  // Without access, the age check comes first and has the primary button.
  const mustVerify = !shop.access.value?.access;
  return (
    <>
      <p class="muted small">This is a demo. Nothing is charged or shipped.</p>
      <Button
        variant={mustVerify ? undefined : 'primary'}
        disabled={shop.access.value === null}
        onPress={() => sending.run(() => checkOut(shop))}
        testId="checkout"
      >
        {sending.isBusy ? 'Placing the order…' : 'Place the order'}
      </Button>
    </>
  );
}

/** The reason why the server refused an order. If it is the age, a button starts the age check. */
function Refused({ shop, refusal }: { shop: Shop; refusal: Refusal }): JSX.Element {
  const isAboutAge = refusal.code === 'age_not_confirmed';
  const box = useRef<HTMLDivElement>(null);
  // The order's button may be at the edge of the window, and this appears below it.
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [refusal]);
  if (isAboutAge && shop.access.value?.access) {
    return (
      <div class="refused refused--mended" data-testid="refused" ref={box}>
        <p>
          <strong>Your age is confirmed now.</strong> Place the order again.
        </p>
      </div>
    );
  }
  return (
    <div class="refused" data-testid="refused" ref={box}>
      <p>
        {isAboutAge ? (
          <>
            <strong>We cannot take this order yet.</strong> We sell to adults only. Verify your age,
            then place the order.
          </>
        ) : (
          <strong>We cannot take this order.</strong>
        )}
      </p>
      {isAboutAge && (
        <Button variant="primary" onPress={() => verifyAge(shop)} testId="verify-from-basket">
          Verify my age
        </Button>
      )}
      <p class="muted small">
        The shop’s server answered: <q data-testid="refusal">{refusal.message}</q>
      </p>
    </div>
  );
}

function Confirmation(props: {
  shop: Shop;
  order: Order;
  afterOrder: ComponentChildren;
}): JSX.Element {
  const { shop, order, afterOrder } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [order.number]);
  return (
    <div class="confirmed" data-testid="confirmation" data-order={order.number}>
      <h2 id="basket-title" tabIndex={-1} ref={heading}>
        Thank you for your order
      </h2>
      <p>
        Your order <strong data-testid="order-number">{order.number}</strong> is confirmed by the
        shop’s server. Your parcel leaves tomorrow. Your age is confirmed, so no ID is needed at the
        door.
      </p>
      <ul class="lines">
        {order.lines.map(({ sku, name, quantity, priceCents }) => (
          <li key={sku}>
            <span class="lines__name">
              {quantity} × {name}
            </span>
            <span class="lines__price">{formatPrice(quantity * priceCents)}</span>
          </li>
        ))}
      </ul>
      <Total cents={order.totalCents} />
      <div role="status" data-testid="after-order">
        {afterOrder}
      </div>
      <Button onPress={() => (shop.confirmation.value = null)}>Continue shopping</Button>
    </div>
  );
}
