import { StrictMode, type ReactNode } from 'react';
import { AgeGate } from '../age-gate';

async function decide(sessionId: string): Promise<boolean> {
  const body = JSON.stringify({ sessionId });
  const response = await fetch('/age-check', { method: 'POST', body });
  return ((await response.json()) as { access: boolean }).access;
}

export default function Home(): ReactNode {
  return (
    <StrictMode>
      <AgeGate customerId="customer-42" decide={decide} />
    </StrictMode>
  );
}
