import type { ReturnParameters } from 'ofage';
import type { JSX } from 'preact';
import { Button } from '../shared/kit/button.tsx';
import { siteUrl } from '../shared/site.ts';
import type { Decision } from './api.ts';
import { type Basket, countOf } from './goods.ts';
import { toVerdict } from './verdict.ts';

/** The result for the returning shopper, and the way on. */
export function Conclusion(props: {
  returned: ReturnParameters | null;
  decision: Decision | null;
  isInTrouble: boolean;
  basket: Basket;
}): JSX.Element {
  const { returned, decision, isInTrouble, basket } = props;
  const verdict = toVerdict(returned, decision, isInTrouble);
  const { kind, title, text } = verdict;
  const [next, part] = kind === 'open' ? toNextPart(basket) : [verdict.button, ''];
  // A check that ended without a result leaves its window on this page, in front of the shop's window.
  const mayBeLeftOver = !returned && window.opener !== null;
  const checkUrl = decision?.checkUrl;
  return (
    <div class={`verdict verdict--${kind}`}>
      <div role="status" data-testid="verdict" data-kind={kind}>
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
      <div class="verdict__actions">
        {mayBeLeftOver && (
          <Button variant="primary" onPress={() => window.close()} testId="close-window">
            Close this window
          </Button>
        )}
        {checkUrl !== undefined && (
          <a class="button button--primary" data-testid="back-to-check" href={checkUrl}>
            Go back to the check
          </a>
        )}
        <a
          class={mayBeLeftOver || checkUrl !== undefined ? 'button' : 'button button--primary'}
          data-testid="back-to-shop"
          href={siteUrl(part)}
        >
          {next}
        </a>
      </div>
    </div>
  );
}

/** Returns the next step after a successful check: the text of its link, and its place in the shop. */
function toNextPart(basket: Basket): [text: string, part: string] {
  return countOf(basket) > 0
    ? ['Go to basket', '#basket-title']
    : ['Choose a bottle', '#shelf-title'];
}
