'use client';

import type { ReactNode } from 'react';
import { AgeGate } from './age-gate';
import { decide } from './decide';

export default function Page(): ReactNode {
  // In place of customer-42, use the ID of the customer who is signed in.
  return <AgeGate customerId="customer-42" decide={decide} />;
}
