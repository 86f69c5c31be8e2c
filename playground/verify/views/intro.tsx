import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import type { HostedSession } from '../hosted-session.ts';
import { Icon, type IconName } from '../icons.tsx';
import type { MessageKey } from '../messages/index.ts';
import { type Page, formatInstant, translate } from '../page.ts';
import { HandoffOffer } from './handoff.tsx';
import { Heading } from './heading.tsx';

/** Shows who asks for the check, how it works, and what happens to the pictures. */
export function Intro({ page }: { page: Page }): JSX.Element {
  const t = (key: MessageKey) => translate(page, key);
  const session = page.flow.session.value;
  return (
    <>
      <div>
        <Heading>{t('introTitle')}</Heading>
        <p class="lead">{t('introLead')}</p>
      </div>
      <ul class="what">
        {session &&
          pointsFor(session).map(([icon, text]) => (
            <li key={text}>
              <Icon name={icon} />
              <span>{t(text)}</span>
            </li>
          ))}
        <li>
          <Icon name="clock" />
          <span>
            {t('introTime')}{' '}
            {session &&
              translate(page, 'openUntil', {
                time: formatInstant(page, session.expiresAt, { timeStyle: 'short' }),
              })}
          </span>
        </li>
      </ul>
      <div class="privacy">
        <h2>
          <Icon name="lock" />
          {t('privacyTitle')}
        </h2>
        <p>{t('privacy')}</p>
      </div>
      <div class="stack">
        <Button variant="primary" onPress={page.flow.begin} testId="start">
          {t('start')}
        </Button>
        <div class="intro-handoff">
          <HandoffOffer page={page} />
        </div>
      </div>
    </>
  );
}

/** Lists the steps of the check in order. */
function pointsFor(session: HostedSession): readonly (readonly [IconName, MessageKey])[] {
  if (session.verificationMode === 'L1') {
    return [
      ['face', 'introFace'],
      ['document', 'introMaybeDocument'],
    ];
  }
  return session.faceMatchEnabled
    ? [
        ['document', 'introDocument'],
        ['face', 'introSelfie'],
      ]
    : [['document', 'introDocument']];
}
