'use client';

import { handleReturn } from 'ofage';
import { useEffect, useState, type ReactNode } from 'react';
import { decide } from '../../decide';

export default function ReturnPage(): ReactNode {
  const [text, setText] = useState('Thank you. One moment.');

  useEffect(() => {
    // In new-tab mode, this also tells the waiting page, and closes this window.
    const returned = handleReturn();
    if (!returned) {
      setText('There is no result. Please start the check again.');
      return;
    }
    // In redirect mode, this page shows what your server has decided.
    decide(returned.sessionId).then(
      (access) => setText(access ? 'Welcome' : 'Sorry'),
      (error: unknown) => {
        console.warn(error); // for developers
        setText('That did not work. Please reload this page.');
      },
    );
  }, []);

  return <p role="status">{text}</p>;
}
