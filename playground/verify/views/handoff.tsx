import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { Button } from '../../shared/kit/button.tsx';
import { Icon } from '../icons.tsx';
import type { MessageKey } from '../messages/index.ts';
import { type Page, translate } from '../page.ts';
import { toHandoffUrl } from '../handoff-url.ts';
import { Heading } from './heading.tsx';

/** Offers to continue on another device. A second device cannot hand over again. */
export function HandoffOffer({ page }: { page: Page }): JSX.Element | null {
  if (!page.flow.session.value?.handoffUrl) return null;
  return (
    <Button onPress={() => page.flow.handOff()} testId="handoff">
      <Icon name="phone" />
      {translate(page, 'handoff')}
    </Button>
  );
}

/** Shows the second device's link as a QR code. */
export function Handoff({ page }: { page: Page }): JSX.Element {
  const t = (key: MessageKey) => translate(page, key);
  const { flow, language, reach } = page;
  const url = toHandoffUrl(flow.session.value?.handoffUrl ?? '', language.value);
  return (
    <>
      <div>
        <Heading>{t('handoffTitle')}</Heading>
        <p class="lead">{t('handoffHint')}</p>
      </div>
      <QrCode url={url} label={t('qrCode')} />
      {reach !== 'anywhere' && (
        <p class="hint">{t(reach === 'browser' ? 'handoffBrowser' : 'handoffComputer')}</p>
      )}
      <p class="waiting" role="status">
        <span class="spinner spinner--small" />
        {t('handoffWaiting')}
      </p>
      <div class="stack">
        {reach !== 'anywhere' && (
          <a class="button" data-testid="handoff-link" href={url} target="_blank" rel="noopener">
            {t('handoffLink')}
          </a>
        )}
        <Button variant="primary" onPress={() => void flow.continueHere()} testId="continue-here">
          {t('stayHere')}
        </Button>
      </div>
    </>
  );
}

/** Shown on the first device after the handoff, until the check ends or the shopper continues here. */
export function Following({ page }: { page: Page }): JSX.Element {
  return (
    <div class="center">
      <span class="seal seal--calm">
        <Icon name="phone" />
      </span>
      <div>
        <Heading>{translate(page, 'followingTitle')}</Heading>
        <p class="lead">{translate(page, 'followingHint')}</p>
      </div>
      <Button onPress={() => void page.flow.continueHere()} testId="continue-here">
        {translate(page, 'continueHere')}
      </Button>
    </div>
  );
}

/**
 * Draws the code black on white in both colour schemes, because some scanners cannot read inverted codes.
 */
function QrCode({ url, label }: { url: string; label: string }): JSX.Element {
  const rows = useSignal<readonly (readonly boolean[])[]>([]);
  useEffect(() => {
    // The encoder is loaded on demand, because most checks do not need it.
    void import('qr').then(({ encodeQR }) => {
      rows.value = encodeQR(url, 'raw', { border: 4 });
    });
  }, [rows, url]);
  const size = rows.value.length;
  const path = rows.value
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <div class="qr" role="img" aria-label={label} data-testid="qr" data-modules={size}>
      {size > 0 && (
        <svg viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges" aria-hidden="true">
          <path d={path} />
        </svg>
      )}
    </div>
  );
}
