import { useEffect, useRef, useState, type ReactElement } from 'react';
import { isOfAgeError, type OfAgeErrorCode } from 'ofage';
import { OfAge, apiKey } from './of-age';

interface AgeGateProps {
  customerId: string;
  /** Asks your server about the session. True opens the gate. */
  decide(sessionId: string): Promise<boolean>;
}

/** Texts for the shopper, because `error.message` is for developers. */
const SORRY: Partial<Record<OfAgeErrorCode, string>> = {
  popup_blocked: 'Please allow the window, then try again.',
  rate_limited: 'Please wait a minute, then try again.',
  network_error: 'Please check your connection, then try again.',
  session_expired: 'The ten minutes are over. Please start again.',
};

export function AgeGate({ customerId, decide }: AgeGateProps): ReactElement {
  const ofAge = useRef<OfAge | null>(null);
  const [text, setText] = useState('');

  useEffect(() => {
    const current = new OfAge({
      apiKey,
      returnUrl: `${location.origin}/age-check/return`,
      mode: 'new-tab',
    });
    ofAge.current = current;
    return () => current.destroy();
  }, []);

  async function onClick(): Promise<void> {
    try {
      const result = await ofAge.current?.verify({ externalUserId: customerId });
      if (!result) return;
      if (result.status === 'cancelled') setText('You closed the check');
      else setText((await decide(result.sessionId)) ? 'Welcome' : 'Sorry');
    } catch (error) {
      if (isOfAgeError(error) && error.code === 'superseded') return; // A later click took over.
      console.warn(error); // for developers: the code and the message
      setText((isOfAgeError(error) && SORRY[error.code]) || 'That did not work. Please try again.');
    }
  }

  return (
    <p>
      <button onClick={() => void onClick()}>Verify my age</button>
      <output>{text}</output>
    </p>
  );
}
