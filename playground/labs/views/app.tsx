import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Provider } from '../../shared/provider.ts';
import { useHash } from '../../shared/use-hash.ts';
import '../labs.css';
import { LABS, parseLab } from '../lab-route.ts';
import { createShopLab } from '../shop-lab.ts';
import { AttackLab } from './attack-lab.tsx';
import { PopupLab } from './popup-lab.tsx';
import { WebhookLab } from './webhook-lab.tsx';

/** Shows one lab at a time, selected by the fragment. */
export function App({ provider }: { provider: Provider }): JSX.Element {
  const lab = useHash(parseLab);
  const heading = useRef<HTMLHeadingElement>(null);
  const shop = useMemo(createShopLab, []);
  const shown = useRef(lab.value);
  useEffect(() => {
    // The heading gets no focus on the first load, because screen readers read a newly opened page from the
    // top.
    if (lab.value !== shown.current) heading.current?.focus();
    shown.current = lab.value;
  }, [lab.value]);

  const here = LABS.find(({ id }) => id === lab.value) ?? LABS[0];
  return (
    <main class="page">
      <header class="page__head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {here.name}
          </h1>
          <p>{here.what}</p>
        </div>
        <nav class="lab-nav" aria-label="Labs">
          {LABS.map(({ id, name }) => (
            <a
              key={id}
              href={`#${id}`}
              class="lab-nav__link"
              data-testid={`lab-${id}`}
              {...(id === here.id ? { 'aria-current': 'page' as const } : {})}
            >
              {name}
            </a>
          ))}
        </nav>
      </header>
      {here.id === 'webhook' && <WebhookLab provider={provider} shop={shop} />}
      {here.id === 'popup' && <PopupLab provider={provider} shop={shop} />}
      {here.id === 'attack' && <AttackLab provider={provider} shop={shop} />}
    </main>
  );
}
