import type { JSX } from 'preact';
import { Button } from '../../shared/kit/button.tsx';
import type { Ending } from '../ending.ts';
import { Icon } from '../icons.tsx';
import { leaveNow, mayClose } from '../leave-page.ts';
import { type MessageKey, isMessageKey } from '../messages/index.ts';
import { type Page, translate } from '../page.ts';
import { Heading } from './heading.tsx';

export function Loading({ page }: { page: Page }): JSX.Element {
  return (
    <div class="center">
      <span class="spinner" />
      <h1 class="lead">{translate(page, 'loading')}</h1>
    </div>
  );
}

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

/** Shows the result, a next step after a failure, and the way back to the shop. */
export function Result({ page, ending }: { page: Page; ending: Ending }): JSX.Element {
  const { status, shownMs } = ending;
  const isFirst = page.flow.session.value?.device === 'first';
  return (
    <div class="step" data-testid="result" data-status={status}>
      <div class="center">
        <span class={`seal ${SEALS[status]}`}>
          <Icon name={status === 'verified' ? 'check' : 'cross'} />
        </span>
        <div>
          <Heading>{translate(page, `${status}Title`)}</Heading>
          <p class="lead">{translate(page, withReason(page, status))}</p>
          {!isFirst && <p class="lead">{translate(page, 'doneHere')}</p>}
        </div>
        {status === 'failed' && isFirst && (
          <p class="hint">{translate(page, withReason(page, 'next'))}</p>
        )}
      </div>
      <div class="step__actions">
        {isFirst && shownMs > 0 && (
          <div class="returning">
            {translate(page, 'returning')}
            <div class="returning__track">
              <span style={{ animationDuration: `${shownMs}ms` }} />
            </div>
          </div>
        )}
        <BackButton page={page} onPress={() => leaveNow(ending)} isQuiet={!isFirst} />
      </div>
    </div>
  );
}

/** Returns the text for the reason of a failure, or the general text if there is none. */
function withReason(page: Page, key: Ending['status'] | 'next'): MessageKey {
  const ofReason = `${key}_${page.flow.session.value?.reason ?? ''}`;
  return isMessageKey(ofReason) ? ofReason : key;
}

interface BackProps {
  readonly page: Page;
  readonly onPress: () => void;
  readonly isQuiet?: boolean;
}

export function BackButton({ page, onPress, isQuiet = false }: BackProps): JSX.Element {
  return (
    <Button variant={isQuiet ? undefined : 'primary'} onPress={onPress} testId="back">
      {translate(page, mayClose() ? 'close' : 'back')}
    </Button>
  );
}

const SEALS = { verified: 'tone--good', failed: 'tone--bad', cancelled: '' } as const;
