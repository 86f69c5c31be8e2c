'use client';

import { handleReturn } from 'ofage';
import { useEffect, type ReactNode } from 'react';

export default function ReturnPage(): ReactNode {
  useEffect(() => {
    handleReturn();
  }, []);
  return <p>Thank you. You can close this window.</p>;
}
