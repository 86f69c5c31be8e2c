import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import type { Ending } from '../ending.ts';
import type { NoticeKind } from '../visit.ts';
import type { HostedSession } from '../hosted-session.ts';
import { Icon, type IconName } from '../icons.tsx';
import { leaveNow, mayClose } from '../leave-page.ts';
import { toEnding } from '../ending.ts';
import { type MessageKey, isMessageKey } from '../messages/index.ts';
import { type Page, formatInstant, translate } from '../page.ts';
import { announcePresence } from '../presence.ts';
import { Heading } from './heading.tsx';

export function Processing({ page }: { page: Page }): JSX.Element {
  return (
    <div class="center">
      <span class="spinner" />
      <div>
        <Heading>{translate(page, 'processingTitle')}</Heading>
        <p class="lead">{translate(page, 'processingHint')}</p>
      </div>
    </div>
  );
}

/** Shows the result and the way back to the shop. */
export function Result({ page, ending }: { page: Page; ending: Ending }): JSX.Element {
  const { status, shownMs } = ending;
  const isFirst = page.flow.session.value?.device === 'first';
  const reason = `failed_${page.flow.session.value?.reason ?? ''}`;
  const text = status === 'failed' && isMessageKey(reason) ? reason : status;
  return (
    <div class="center" data-testid="result" data-status={status}>
      <span class={`seal ${SEALS[status]}`}>
        <Icon name={status === 'verified' ? 'check' : 'cross'} />
      </span>
      <div>
        <Heading>{translate(page, `${status}Title`)}</Heading>
        <p class="lead">{translate(page, text)}</p>
      </div>
      {!isFirst && <p class="lead">{translate(page, 'doneHere')}</p>}
      {isFirst && shownMs > 0 && (
        <div class="returning">
          {!mayClose() && translate(page, 'returning')}
          <div class="returning__track">
            <span style={{ animationDuration: `${shownMs}ms` }} />
          </div>
        </div>
      )}
      <BackButton page={page} ending={ending} isQuiet={!isFirst} />
    </div>
  );
}

/** Explains why the check cannot start, with one page per reason. */
export function Notice({ page, kind }: { page: Page; kind: NoticeKind }): JSX.Element {
  const t = (key: MessageKey) => translate(page, key);
  const session = page.flow.session.value;
  const ending = session && toEnding(session, false);
  return (
    <div class="center" data-testid="notice" data-kind={kind}>
      <span class={`seal ${kind === 'used' || kind === 'billing' ? '' : 'seal--bad'}`}>
        <Icon name={NOTICE_ICONS[kind]} />
      </span>
      <div>
        <Heading>{t(`${kind}Title`)}</Heading>
        <p class="lead">{t(kind)}</p>
        {session && kind === 'expired' && (
          <p class="lead">
            {translate(page, 'expiredAt', { time: formatInstant(page, session.expiresAt) })}
          </p>
        )}
        {session?.settledAt && kind === 'used' && (
          <p class="lead">
            {translate(page, 'usedAt', { time: formatInstant(page, session.settledAt) })}
          </p>
        )}
        {session?.billingBlock && kind === 'billing' && (
          <BillingBlock page={page} block={session.billingBlock} />
        )}
      </div>
      {kind === 'unavailable' && (
        <Button variant="primary" onPress={() => void page.flow.load()} testId="retry">
          {t('retry')}
        </Button>
      )}
      {ending && <BackButton page={page} ending={ending} />}
      {session && !ending && (
        // Without a result, the link has no callback parameters.
        <a
          class="button button--primary"
          data-testid="back"
          href={session.cancelUrl ?? session.returnUrl}
          onClick={() => announcePresence(session, false)}
        >
          {t('back')}
        </a>
      )}
    </div>
  );
}

/** Shows a neutral explanation to the shopper and the service's message to the shop's staff. */
function BillingBlock(props: { page: Page; block: Block }): JSX.Element {
  const { page, block } = props;
  const key = `billing_${block.code}`;
  return (
    <>
      {isMessageKey(key) && <p class="lead">{translate(page, key)}</p>}
      <dl class="details">
        <dt>{translate(page, 'billingMessage')}</dt>
        <dd data-testid="billing-message" lang="en" translate={false}>
          {block.message}
        </dd>
        <dd translate={false}>
          <code>{block.code}</code>
        </dd>
      </dl>
    </>
  );
}

type Block = NonNullable<HostedSession['billingBlock']>;

interface BackProps {
  readonly page: Page;
  readonly ending: Ending;
  readonly isQuiet?: boolean;
}

function BackButton({ page, ending, isQuiet = false }: BackProps): JSX.Element {
  return (
    <Button
      variant={isQuiet ? undefined : 'primary'}
      onPress={() => void leaveNow(ending)}
      testId="back"
    >
      {translate(page, mayClose() ? 'close' : 'back')}
    </Button>
  );
}

const SEALS = { verified: 'seal--good', failed: 'seal--bad', cancelled: '' } as const;

const NOTICE_ICONS: Readonly<Record<NoticeKind, IconName>> = {
  expired: 'clock',
  used: 'check',
  billing: 'pause',
  invalid: 'link',
  unavailable: 'link',
};
