import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import type { HostedSession } from '../hosted-session.ts';
import { Icon, type IconName, ServiceLogo } from '../icons.tsx';
import type { MessageKey } from '../messages/index.ts';
import { type Page, translate } from '../page.ts';
import { HandoffButton } from './handoff.tsx';
import { Heading } from './heading.tsx';
import { PrivacyText } from './privacy-text.tsx';

/** Shows who asks for the check, how it works, and what happens to the pictures. */
export function Intro({ page }: { page: Page }): JSX.Element | null {
  const t = (key: MessageKey) => translate(page, key);
  const session = page.flow.session.value;
  if (!session) return null;
  return (
    <div class="step">
      <div class="step__text step__text--hero">
        <ServiceLogo />
        <Heading>{t('introTitle')}</Heading>
        <p class="lead">{t('introLead')}</p>
        <ul class="what">
          {pointsFor(session).map(([icon, text]) => (
            <li key={text}>
              <Icon name={icon} />
              <span>{t(text)}</span>
            </li>
          ))}
        </ul>
      </div>
      <div class="step__actions">
        <p class="small">
          {t('introTime')} <PrivacyText page={page} text="consent" />
        </p>
        <Button variant="primary" onPress={page.flow.begin} testId="start">
          {t('start')}
        </Button>
        <HandoffButton page={page} isLink />
      </div>
    </div>
  );
}

/** Lists the steps of the check in order, and then what happens to the pictures. */
function pointsFor(session: HostedSession): readonly (readonly [IconName, MessageKey])[] {
  const privacy = ['lock', 'introPrivacy'] as const;
  if (session.verificationMode === 'L1') {
    return [['face', 'introFace'], ['document', 'introMaybeDocument'], privacy];
  }
  return session.faceMatchEnabled
    ? [['document', 'introDocument'], ['face', 'introSelfie'], privacy]
    : [['document', 'introDocument'], privacy];
}
