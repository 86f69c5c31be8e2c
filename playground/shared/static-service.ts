import packedServiceUrl from 'virtual:packed-service';
import type { MockService } from 'ofage-mock';
import { formatError } from './kit/format-error.ts';

/** The exports of the compressed file, which is built from `playground/static/static-mode.ts`. */
export interface PackedService {
  /** Starts the service and the demo backend in this page, behind a service worker. */
  startStaticMode(): Promise<MockService>;
}

/**
 * Loads the service and starts it in this page. The page is already visible, and shows the status of the
 * service meanwhile. If the service cannot run, the status says why.
 */
export function openStaticService(): Promise<MockService> {
  opening ??= open();
  return opening;
}

let opening: Promise<MockService> | undefined;

async function open(): Promise<MockService> {
  // A page with a service worker has been visited before, so its fonts are in the browser's cache.
  if ('serviceWorker' in navigator && navigator.serviceWorker.controller) loadFonts();
  const status = document.createElement('p');
  status.className = 'service-status';
  status.dataset['testid'] = 'service-status';
  status.role = 'status';
  document.body.append(status);
  status.textContent = 'Loading the service. It runs in this page and will be ready in a moment.';
  try {
    assertSupported();
    const { startStaticMode } = await importPacked(packedServiceUrl);
    const service = await startStaticMode();
    status.remove();
    return service;
  } catch (error) {
    status.classList.add('service-status--bad');
    status.textContent = formatError(error);
    throw error;
  } finally {
    loadFonts();
  }
}

/**
 * Lets the browser load the fonts. If they loaded earlier, they would delay the service on a slow
 * connection.
 */
function loadFonts(): void {
  delete document.documentElement.dataset['fonts'];
}

/** @throws {Error} with a message for the user if the page cannot use a service worker */
function assertSupported(): void {
  if (!isSecureContext) {
    throw new Error(
      `This playground needs https or localhost, because it uses a service worker. ${location.origin} is neither.`,
    );
  }
  if (!('serviceWorker' in navigator)) {
    throw new Error(
      'This playground needs service workers, which are not available in this window. Private windows often lack them, so use a normal window.',
    );
  }
}

/**
 * Imports the service from its compressed file. Many static hosts send files as they are, and without
 * compression the service takes several times as long on a slow connection.
 */
async function importPacked(url: string): Promise<PackedService> {
  const response = await fetch(url).catch(() => null);
  if (!response?.ok || !response.body) {
    throw new Error('Cannot load the service. Check your connection, then reload the page.');
  }
  const unpacked = new Response(response.body.pipeThrough(new DecompressionStream('gzip')));
  const script = new Blob([await unpacked.arrayBuffer()], { type: 'text/javascript' });
  const address = URL.createObjectURL(script);
  try {
    return (await import(/* @vite-ignore */ address)) as PackedService;
  } finally {
    URL.revokeObjectURL(address);
  }
}
