// A Server Component that asks for a result at each visit. The framework replaces its fetch by a cache.
import type { ReactNode } from 'react';
import { client } from '../client';

interface Props {
  // A promise from Next.js 15 on.
  readonly searchParams: Promise<{ sessionId: string }>;
}

export default async function Return({ searchParams }: Props): Promise<ReactNode> {
  const { sessionId } = await searchParams;
  const said = await client.validateSession(sessionId).then(
    ({ status }) => status,
    (error: { code: string }) => error.code,
  );
  return <p id="said">{said}</p>;
}
