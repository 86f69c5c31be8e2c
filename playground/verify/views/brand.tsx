import type { JSX } from 'preact';
import kontor from '../../shared/kontor.svg';
import { ServiceLogo } from '../icons.tsx';
import { type Page, translate } from '../page.ts';

/** The logos that shops have given to the service, by the name of the shop. */
const LOGOS: ReadonlyMap<string, string> = new Map([['Kontor', kontor]]);

/** Shows the shop that asks for the check, and the service that does it. */
export function Brand({ page }: { page: Page }): JSX.Element {
  const shop = page.flow.session.value?.merchantName;
  if (!shop) {
    return (
      <span class="brand" translate={false}>
        <ServiceLogo />
        <b>OfAge</b>
      </span>
    );
  }
  return (
    <span class="brand">
      <Logo shop={shop} />
      <span class="brand__names">
        <b translate={false}>{shop}</b>
        <small>{translate(page, 'checkBy', { service: 'OfAge' })}</small>
      </span>
    </span>
  );
}

/** Shows the shop's logo, or the first letter of its name. */
function Logo({ shop }: { shop: string }): JSX.Element {
  const logo = LOGOS.get(shop);
  if (logo) return <img class="brand__logo" src={logo} alt="" />;
  const [initial = ''] = shop.trim();
  return (
    <span class="brand__logo" aria-hidden="true" translate={false}>
      {initial.toUpperCase()}
    </span>
  );
}
