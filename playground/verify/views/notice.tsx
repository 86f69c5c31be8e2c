import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import { toEnding } from '../ending.ts';
import type { HostedSession } from '../hosted-session.ts';
import { Icon, type IconName } from '../icons.tsx';
import { type MessageKey, isMessageKey } from '../messages/index.ts';
import { leaveNow, leaveWithoutResult, mayClose } from '../leave-page.ts';
import { type Page, formatInstant, translate } from '../page.ts';
import type { NoticeKind } from '../flow.ts';
import { Heading } from './heading.tsx';
import { BackButton } from './outcome.tsx';

interface NoticeProps {
  readonly page: Page;
  readonly kind: NoticeKind;
}

/** Explains why the check cannot start or continue, with one text per reason. */
export function Notice({ page, kind }: NoticeProps): JSX.Element {
  const t = (key: MessageKey) => translate(page, key);
  const session = page.flow.session.value;
  return (
    <div class="step" data-testid="notice" data-kind={kind}>
      <div class="center">
        <span class={`seal ${kind === 'used' || kind === 'billing' ? '' : 'tone--bad'}`}>
          <Icon name={NOTICE_ICONS[kind]} />
        </span>
        <div>
          <Heading>{t(`${kind}Title`)}</Heading>
          <p class="lead">{t(kind)}</p>
          {session && <Details page={page} session={session} kind={kind} />}
        </div>
      </div>
      <div class="step__actions">
        {kind === 'unavailable' && (
          <Button variant="primary" onPress={() => void page.flow.load()} testId="retry">
            {t('retry')}
          </Button>
        )}
        {session ? <WayBack page={page} session={session} /> : <WayOut page={page} kind={kind} />}
      </div>
    </div>
  );
}

function Details({ page, session, kind }: NoticeProps & SessionProps): JSX.Element | null {
  const { settledAt, expiresAt, billingBlock, sandboxMode } = session;
  const at = (key: MessageKey, time: string): JSX.Element => (
    <p class="lead">{translate(page, key, { time: formatInstant(page, time) })}</p>
  );
  if (kind === 'expired') return at('expiredAt', expiresAt);
  if (kind === 'used' && settledAt) return at('usedAt', settledAt);
  // The shop's customers do not need to know about its subscription.
  if (kind !== 'billing' || !billingBlock || !sandboxMode) return null;
  const key = `billing_${billingBlock.code}`;
  return (
    <>
      {isMessageKey(key) && <p class="lead">{translate(page, key)}</p>}
      <dl class="details">
        <dt>{translate(page, 'billingMessage')}</dt>
        <dd data-testid="billing-message" lang="en" translate={false}>
          {billingBlock.message}
        </dd>
        <dd translate={false}>
          <code>{billingBlock.code}</code>
        </dd>
      </dl>
    </>
  );
}

function WayBack({ page, session }: SessionProps): JSX.Element {
  const ending = toEnding(session, false);
  return (
    <BackButton
      page={page}
      onPress={() => (ending ? leaveNow(ending) : leaveWithoutResult(session))}
    />
  );
}

/**
 * Leads away from a link that does not work, which names no shop to return to. A page that was opened from
 * the address bar has nowhere to lead.
 */
function WayOut({ page, kind }: NoticeProps): JSX.Element | null {
  if (kind !== 'invalid') return null;
  const isPopup = mayClose();
  if (!isPopup && (document.referrer === '' || history.length === 1)) return null;
  return (
    <Button
      variant="primary"
      onPress={() => (isPopup ? window.close() : history.back())}
      testId="back"
    >
      {translate(page, isPopup ? 'close' : 'goBack')}
    </Button>
  );
}

interface SessionProps {
  readonly page: Page;
  readonly session: HostedSession;
}

const NOTICE_ICONS: Readonly<Record<NoticeKind, IconName>> = {
  expired: 'clock',
  used: 'check',
  billing: 'pause',
  invalid: 'link',
  unavailable: 'link',
};
