import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { READ_MS } from './in-time.ts';
import { IS_STATIC } from './site.ts';

/**
 * Returns the address of a page of the documentation on this server, which links to the published
 * documentation if its own was not built. Null in the static playground, which has no server.
 */
export const docsUrl = (path: string): string | null => (IS_STATIC ? null : `/docs/${path}`);

/** Returns the address of this server's page about a code. Null in the static playground. */
export const helpUrl = (code: string): string | null => (IS_STATIC ? null : `/help/${code}`);

const isBuilt = signal(false);
let asked: Promise<void> | null = null;

/** Tells whether this server has the documentation's pages. False until it has responded. */
export function useBuiltDocs(): boolean {
  useEffect(() => void (asked ??= askServer()), []);
  return isBuilt.value;
}

async function askServer(): Promise<void> {
  const url = docsUrl('');
  if (url === null) return;
  const signal = AbortSignal.timeout(READ_MS);
  const response = await fetch(url, { method: 'HEAD', signal }).catch(() => null);
  isBuilt.value = response !== null && response.ok && !response.headers.has('x-ofage-docs');
}
