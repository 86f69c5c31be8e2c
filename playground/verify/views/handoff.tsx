import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { QrCode } from '../../shared/qr-code.tsx';
import { Icon } from '../icons.tsx';
import type { MessageKey } from '../messages/index.ts';
import { type Page, translate } from '../page.ts';
import { toHandoffUrl } from '../addresses.ts';
import { Heading } from './heading.tsx';

/**
 * Offers to continue on another device. A second device cannot hand over again.
 * @param isLink True beside a more important button
 */
export function HandoffButton(props: { page: Page; isLink?: boolean }): JSX.Element | null {
  const { page, isLink = false } = props;
  if (!page.flow.session.value?.handoffUrl) return null;
  return (
    <Button
      variant={isLink ? 'bare' : undefined}
      class={isLink ? 'link link--handoff' : undefined}
      onPress={() => page.flow.handOff()}
      testId="handoff"
    >
      <Icon name="phone" />
      {translate(page, 'handoff')}
    </Button>
  );
}

const HINTS = {
  anywhere: 'handoffHint',
  computer: 'handoffComputer',
  browser: 'handoffBrowser',
} as const satisfies Record<Page['reach'], MessageKey>;

/**
 * Shows the second device's link as a QR code. A phone cannot reach a mock on this computer, so the link
 * comes first there, and the code is only a preview.
 */
export function Handoff({ page }: { page: Page }): JSX.Element {
  const t = (key: MessageKey) => translate(page, key);
  const { flow, language, reach } = page;
  const url = toHandoffUrl(flow.session.value?.handoffUrl ?? '', language.value);
  const isPreview = reach !== 'anywhere';
  return (
    <div class="step">
      <div class="step__text">
        <Heading>{t('handoffTitle')}</Heading>
        <p class="lead">{t(HINTS[reach])}</p>
        {isPreview && (
          <a
            class="button button--primary"
            data-testid="handoff-link"
            href={url}
            target="_blank"
            rel="noopener"
          >
            {t('handoffLink')}
          </a>
        )}
      </div>
      <div class="step__media">
        <div class={isPreview ? 'qr-frame qr-frame--preview' : 'qr-frame'}>
          <QrCode url={url} label={t('qrCode')} />
          {isPreview && <p>{t('handoffPreview')}</p>}
        </div>
        <p class="waiting" role="status">
          <span class="spinner spinner--small" />
          {t('handoffWaiting')}
        </p>
      </div>
      <div class="step__actions">
        <Button onPress={() => void flow.continueHere()} testId="continue-here">
          {t('stayHere')}
        </Button>
      </div>
    </div>
  );
}

/** Shown while the shopper continues on the other device. */
export function Following({ page }: { page: Page }): JSX.Element {
  return (
    <div class="step">
      <div class="center">
        <span class="seal tone--accent">
          <Icon name="phone" />
        </span>
        <div>
          <Heading>{translate(page, 'followingTitle')}</Heading>
          <p class="lead">{translate(page, 'followingHint')}</p>
        </div>
      </div>
      <div class="step__actions">
        <Button onPress={() => void page.flow.continueHere()} testId="continue-here">
          {translate(page, 'continueHere')}
        </Button>
      </div>
    </div>
  );
}
