import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { remainingMs, toMinutesAndSeconds, toMinutesToSay } from '../countdown.ts';
import { Icon } from '../icons.tsx';
import { type Page, translate, translateCount } from '../page.ts';

/**
 * Shows the remaining time of the session. Screen readers announce it only a few times, not every second.
 */
export function Timer({ page }: { page: Page }): JSX.Element | null {
  const localMs = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (localMs.value = Date.now()), 500);
    return () => clearInterval(timer);
  }, [localMs]);

  const session = page.flow.session.value;
  const time = page.flow.time.value;
  if (!session || !time) return null;
  const leftMs = remainingMs(time, session.expiresAt, localMs.value);
  const minutes = toMinutesToSay(leftMs);
  return (
    <>
      <span
        class={`chip ${minutes === 0 ? 'tone--bad ' : ''}timer`}
        role="timer"
        data-testid="countdown"
        translate={false}
      >
        <Icon name="clock" />
        <span class="visually-hidden">{translate(page, 'timeLeft')}</span>{' '}
        {toMinutesAndSeconds(leftMs)}
      </span>
      <span class="visually-hidden" role="status">
        {minutes === 0 && translate(page, 'minuteLeft')}
        {minutes !== null && minutes > 0 && translateCount(page, 'minutesLeft', minutes)}
      </span>
    </>
  );
}
