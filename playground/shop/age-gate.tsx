import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../shared/kit/button.tsx';
import { countOf } from './goods.ts';
import { type CheckPolicy, describeCheck, explainChallengeAge } from './check-policy.ts';
import { type NextStep, toNextStep } from './next-step.ts';
import type { Shop } from './state.ts';
import { forgetAccess, verifyAge, verifyInThisTab } from './age-check.ts';

export function AgeGate(props: {
  shop: Shop;
  policy: CheckPolicy | null;
  /** Shown below the buttons. */
  advice?: ComponentChildren;
}): JSX.Element {
  const { shop, policy, advice } = props;
  const next = toNextStep(shop.hint.value, shop.access.value, shop.decision.value);
  const isOpen = next.kind === 'open';
  const isBasketEmpty = countOf(shop.basket.value) === 0;
  return (
    <div
      class={`gate gate--${next.kind}`}
      data-testid="gate"
      data-open={String(isOpen)}
      data-kind={next.kind}
    >
      <div class="gate__text" role="status" data-testid="notice" data-kind={next.kind}>
        <h2 id="gate-title">{next.title}</h2>
        <p>
          {shop.outage.value ??
            shop.serverError.value ??
            (next.kind === 'closed' ? `${next.text} ${describeCheck(policy)}` : next.text)}
        </p>
        {next.kind === 'closed' && policy && (
          <p class="gate__why small">{explainChallengeAge(policy)}</p>
        )}
      </div>
      <Actions shop={shop} next={next} isCoached={Boolean(advice)} isBasketEmpty={isBasketEmpty} />
      {advice && (
        <p class="gate__coach" id="coach" data-testid="coach">
          {advice}
        </p>
      )}
    </div>
  );
}

function Actions(props: {
  shop: Shop;
  next: NextStep;
  isCoached: boolean;
  isBasketEmpty: boolean;
}): JSX.Element {
  const { shop, next, isCoached, isBasketEmpty } = props;
  return (
    <div class="gate__actions">
      {next.kind === 'open' ? (
        <>
          <a
            // With something in the basket, the order has the primary button.
            class={isBasketEmpty ? 'button button--primary' : 'button'}
            href={isBasketEmpty ? '#shelf-title' : '#basket-title'}
            data-testid={isBasketEmpty ? 'to-shelf' : 'to-basket'}
          >
            {isBasketEmpty ? 'Choose a bottle' : 'Go to basket'}
          </a>
          <Button
            variant="bare"
            class="link"
            onPress={() => forgetAccess(shop)}
            testId="forget-access"
          >
            Forget me
          </Button>
        </>
      ) : (
        <Button
          // After a refused order, the button in the basket is the primary one.
          variant={shop.refusal.value ? undefined : 'primary'}
          class={isCoached ? 'button--coached' : undefined}
          id="verify-age"
          // Stays enabled while a check is open. The shopper may have lost its window, and the SDK shows it
          // again.
          disabled={shop.publishableKey.value === null || shop.access.value === null}
          aria-busy={next.kind === 'waiting' || next.kind === 'leaving'}
          aria-describedby={isCoached ? 'coach' : undefined}
          onPress={() => verifyAge(shop)}
          testId="verify-age"
        >
          {next.button ?? 'Verify my age'}
        </Button>
      )}
      {next.offersRedirect && (
        <Button onPress={() => verifyInThisTab(shop)} testId="verify-here">
          Check in this tab
        </Button>
      )}
    </div>
  );
}
