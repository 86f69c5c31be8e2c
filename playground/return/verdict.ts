import type { ReturnParameters } from 'ofage';
import { appendQuery } from '../shared/append-query.ts';
import type { Decision } from '../shared/shop-api.ts';

/** The text for returning shoppers, and the next page. */
export interface Verdict {
  readonly kind: 'open' | 'failed' | 'cancelled' | 'expired' | 'refused' | 'asking' | 'nothing';
  readonly title: string;
  readonly text: string;
  readonly button: string;
  /** Target of the button. */
  readonly to: 'shop' | 'basket';
}

/** Interprets the server's response. The address only tells whether there is a session to ask about. */
export function toVerdict(
  returned: ReturnParameters | null,
  answer: Decision | null,
  isInTrouble: boolean,
): Verdict {
  if (!returned) {
    return verdict(
      'nothing',
      'Nothing came back',
      'This page is where the age check leads back to. Without a result there is nothing to decide: go to the shop and start a check.',
    );
  }
  if (!answer) {
    return isInTrouble
      ? verdict(
          'refused',
          'We could not ask',
          'Our server could not find out how the check ended. Reload this page in a moment; the result is not lost.',
        )
      : verdict('asking', 'One moment', 'We are asking the age check for the result.');
  }
  if (answer.access) {
    const text = 'Your age is confirmed. Your basket is where you left it.';
    return { ...verdict('open', 'Welcome in', text, 'To your basket'), to: 'basket' };
  }
  if (answer.problem?.code === 'session_expired') {
    return verdict(
      'expired',
      'The ten minutes are over',
      'The check was not finished, or not brought back, in time. Start a new one from the shop.',
    );
  }
  if (answer.problem) {
    return verdict(
      'refused',
      'No access',
      'What this address claims could not be confirmed. Start a check of your own from the shop.',
    );
  }
  switch (answer.validation?.['status']) {
    case 'cancelled':
      return verdict(
        'cancelled',
        'Check cancelled',
        'Nothing was decided. Your basket is still there, and you can start again at any time.',
      );
    case 'pending':
      return verdict(
        'asking',
        'Not finished yet',
        'The check is still open. Finish it, and come back to this page.',
      );
    default:
      return verdict(
        'failed',
        'We could not confirm your age',
        'Without that we cannot sell to you. If the picture was bad or you have a document at hand, try again from the shop.',
      );
  }
}

const verdict = (
  kind: Verdict['kind'],
  title: string,
  text: string,
  button = 'Back to the shop',
): Verdict => ({ kind, title, text, button, to: 'shop' });

/**
 * Returns the address with another status, as a cheating shopper would type it, to show that it makes no
 * difference.
 */
export function toForgery(href: string, status: string): { href: string; status: string } {
  const forged = status === 'verified' ? 'failed' : 'verified';
  const [base = '', query = ''] = href.replace(/#.*/, '').split(/\?(.*)/s);
  const others = query.split('&').filter((pair) => !pair.startsWith('status=') && pair !== '');
  const kept = others.length > 0 ? `${base}?${others.join('&')}` : base;
  return { href: appendQuery(kept, { status: forged }), status: forged };
}
