'use client';

import type { ReactNode } from 'react';
import { AgeGate } from './age-gate';

async function decide(sessionId: string): Promise<boolean> {
  const response = await fetch('/age-check', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessionId }),
  });
  return ((await response.json()) as { access: boolean }).access;
}

export default function Page(): ReactNode {
  return <AgeGate customerId="customer-42" decide={decide} />;
}
