// A Server Component that creates a session at each visit.
import type { ReactNode } from 'react';
import { client } from '../client';

interface Props {
  // A promise from Next.js 15 on.
  readonly searchParams: Promise<{ customer: string }>;
}

export default async function Start({ searchParams }: Props): Promise<ReactNode> {
  const { customer } = await searchParams;
  const { sessionId } = await client.createSession({
    returnUrl: 'http://localhost/return',
    externalUserId: customer,
  });
  return <p id="said">{sessionId}</p>;
}
