/** Test doubles for the browser: window.open, fetch, location, channels, listeners and the clock. */

import { afterEach, beforeEach, vi } from 'vitest';
import { OfAge, type OfAgeOptions, type VerifyOptions } from 'ofage';
import { MESSAGE_TYPE, RELAY_TYPE } from '../../src/brand.ts';

export const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
export const SESSION_ID = '3f0d6c1e-8a4b-4c57-9a2e-6b1f5d2c7e90';
export const VERIFY_ORIGIN = 'https://verify.example.test';
export const VERIFY_URL = `${VERIFY_ORIGIN}/v/${SESSION_ID}?sessionToken=st_a~b%20c`;
export const CREATED = {
  sessionId: SESSION_ID,
  sessionToken: 'st_a~b%20c',
  verifyUrl: VERIFY_URL,
  expiresAt: '2026-01-01T00:10:00.000Z',
  testMode: false,
  sandboxMode: true,
  externalUserId: null,
  faceMatchEnabled: true,
  handoffToken: 'ht_1',
};

export type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | Error;

/** A window that window.open returned, as seen by its opener. */
export class FakePopup {
  closed = false;
  focused = 0;
  replaced: string[] = [];
  readonly document = document.implementation.createHTMLDocument('');
  readonly location = {
    replace: (url: string): void => {
      if (!this.#isClosing) this.askToUnload();
      this.replaced.push(url);
    },
  };
  readonly name: string;
  readonly features: string;
  #listeners: Array<{ type: string; listener: () => void }> = [];
  #isClosing = false;
  #hasArrived = false;

  constructor(name: string, features: string) {
    this.name = name;
    this.features = features;
  }
  addEventListener(type: string, listener: () => void): void {
    this.#listeners.push({ type, listener });
  }
  #emit(type: string): void {
    // The listeners belong to the blank page, so they get no event of the hosted page.
    if (this.#hasArrived) return;
    for (const it of this.#listeners) if (it.type === type) it.listener();
  }
  /** Fires beforeunload, as a browser does before the page navigates or closes. */
  askToUnload(): void {
    this.#emit('beforeunload');
  }
  /** Shows the hosted page. */
  commit(): void {
    this.#emit('pagehide');
    this.#hasArrived = true;
  }
  /** Begins to close the window as the shopper does. From now on it cannot navigate. */
  beginClose(): void {
    this.askToUnload();
    this.#isClosing = true;
  }
  /** Closes the window as the shopper does, which fires beforeunload and pagehide. */
  closeByHand(): void {
    this.beginClose();
    this.#emit('pagehide');
    this.closed = true;
  }
  /** Cuts the window off as Firefox and WebKit do when the hosted page has COOP. */
  cutOff(): void {
    this.#emit('pagehide');
    this.closed = true;
  }
  close(): void {
    this.closed = true;
  }
  focus(): void {
    this.focused += 1;
  }
}

/** A synchronous BroadcastChannel in memory, for one origin. */
export class FakeChannel {
  static open = new Set<FakeChannel>();
  readonly name: string;
  #listeners = new Set<(event: { data: unknown }) => void>();
  constructor(name: string) {
    this.name = name;
    FakeChannel.open.add(this);
  }
  addEventListener(_type: string, listener: (event: { data: unknown }) => void): void {
    this.#listeners.add(listener);
  }
  removeEventListener(_type: string, listener: (event: { data: unknown }) => void): void {
    this.#listeners.delete(listener);
  }
  postMessage(data: unknown): void {
    for (const other of FakeChannel.open) {
      if (other === this || other.name !== this.name) continue;
      for (const listener of other.#listeners) listener({ data: structuredClone(data) });
    }
  }
  close(): void {
    FakeChannel.open.delete(this);
  }
}

export interface World {
  popups: FakePopup[];
  popup(): FakePopup;
  /** Sets the function that window.open calls from now on. By default it opens a FakePopup. */
  openWith(answer: () => unknown): void;
  fetch: ReturnType<typeof vi.fn>;
  /** Sets the responses to the next create calls. The last one repeats. */
  answer(...answers: Answer[]): void;
  /** Leaves requests without a response until `answer` is called. */
  hang(): void;
  assign: ReturnType<typeof vi.fn>;
  /** Calls all listeners of the event type on window and document. */
  emit(type: string, event?: object): void;
  message(fields: object, event?: object): void;
  /** Sends the message of handleReturn() over the BroadcastChannel. */
  relay(fields: object): void;
  listeners: Array<{ type: string; listener: unknown; target: string }>;
  /** The texts of console.warn(). */
  warnings: string[];
  hide(hidden: boolean): void;
  elapse(ms: number): Promise<void>;
}

/** The browser doubles of the current test. */
export let world: World;

/** The constructor in the page of the current test. */
export let Sdk = OfAge;

/** Creates new browser doubles in {@link world} for each test of the file. */
export function useWorld(href?: string): void {
  beforeEach(() => void enterWorld(href));
  afterEach(leaveWorld);
}

/**
 * Also loads a new {@link Sdk} for each test. As long as its page is open, the SDK remembers the warnings that it
 * has printed, and whether a frame cannot open windows.
 */
export function useFreshPage(href?: string): void {
  beforeEach(async () => {
    vi.resetModules();
    Sdk = (await import('ofage')).OfAge;
    // Files may share their modules, and the next one must not get those of this page.
    vi.resetModules();
  });
  useWorld(href);
}

/** Installs the browser doubles until {@link leaveWorld} is called. */
export function enterWorld(href = 'https://merchant.example/cart?x=1'): World {
  vi.useFakeTimers({ now: START_MS });
  localStorage.clear();
  FakeChannel.open.clear();

  const popups: FakePopup[] = [];
  let openNext: (() => unknown) | undefined;
  const listeners: World['listeners'] = [];
  const warnings: string[] = [];
  let hidden = false;
  let answers: Answer[] = [{ status: 201, body: CREATED }];
  let hanging = false;

  const track = (target: string) => ({
    addEventListener(type: string, listener: unknown) {
      listeners.push({ type, listener, target });
    },
    removeEventListener(type: string, listener: unknown) {
      const index = listeners.findIndex(
        (it) => it.type === type && it.listener === listener && it.target === target,
      );
      if (index >= 0) listeners.splice(index, 1);
    },
  });
  const fetch = vi.fn((_url: string, init: RequestInit) => {
    return new Promise<Response>((resolve, reject) => {
      init.signal?.addEventListener('abort', () =>
        reject(new DOMException('Aborted', 'AbortError')),
      );
      if (hanging) return;
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
      if (answer instanceof Error) return reject(answer);
      const { status = 201, body = CREATED, headers = {} } = answer;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      resolve(new Response(text, { status, headers }));
    });
  });
  const assign = vi.fn();

  vi.stubGlobal('fetch', fetch);
  vi.stubGlobal('BroadcastChannel', FakeChannel);
  vi.stubGlobal('location', { href, origin: new URL(href).origin, assign });
  vi.stubGlobal('open', (_url: string, name: string, features: string) => {
    if (openNext) return openNext();
    const popup = new FakePopup(name, features);
    popups.push(popup);
    return popup;
  });
  const onWindow = track('window');
  vi.stubGlobal('addEventListener', onWindow.addEventListener);
  vi.stubGlobal('removeEventListener', onWindow.removeEventListener);
  const onDocument = track('document');
  vi.spyOn(document, 'addEventListener').mockImplementation(onDocument.addEventListener);
  vi.spyOn(document, 'removeEventListener').mockImplementation(onDocument.removeEventListener);
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text));
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);

  world = {
    popups,
    popup: () => popups.at(-1)!,
    openWith: (answer) => (openNext = answer),
    fetch,
    answer: (...next) => {
      hanging = false;
      answers = next;
    },
    hang: () => (hanging = true),
    assign,
    listeners,
    warnings,
    emit(type, event = {}) {
      for (const { listener, ...it } of listeners.slice()) {
        if (it.type === type) (listener as (event: object) => void)(event);
      }
    },
    message(fields, event = {}) {
      world.emit('message', {
        isTrusted: true,
        origin: VERIFY_ORIGIN,
        source: world.popup(),
        data: { type: MESSAGE_TYPE, sessionId: SESSION_ID, ...fields },
        ...event,
      });
    },
    relay(fields) {
      const channel = new FakeChannel(`ofage:${SESSION_ID}`);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
      channel.postMessage({ type: RELAY_TYPE, sessionId: SESSION_ID, ...fields });
      channel.close();
    },
    hide: (now) => (hidden = now),
    async elapse(ms) {
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
  return world;
}

export function leaveWorld(): void {
  if (typeof document === 'object') document.head.textContent = '';
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

/** The end of each message. */
export const link = (code: string): string => `. See https://docs.ofage.example/errors/${code}`;

/** Creates an OfAge object with the options that most tests use. */
export function newOfAge(options: Partial<OfAgeOptions> = {}): OfAge {
  return new Sdk({
    apiKey: 'pk_test_123',
    returnUrl: 'https://merchant.example/return',
    mode: 'new-tab',
    ...options,
  });
}

/** Watches a promise. Returns an object that has its current state, value and error. */
export function watch<T>(promise: Promise<T>): { state: string; value?: T; error?: any } {
  const seen: { state: string; value?: T; error?: any } = { state: 'pending' };
  promise.then(
    (value) => Object.assign(seen, { state: 'resolved', value }),
    (error) => Object.assign(seen, { state: 'rejected', error }),
  );
  return seen;
}

/** Calls verify() of a new object and waits until the session is created, or the call has failed. */
export async function begin(options: Partial<OfAgeOptions> = {}, call: VerifyOptions = {}) {
  const seen = watch(newOfAge(options).verify(call));
  await world.elapse(0);
  return seen;
}

/** Adds a property to every object, as a careless script does, while `run` runs. */
export async function withPropertyOnAllObjects(name: string, run: () => unknown): Promise<void> {
  const all: object = Object.prototype;
  Object.defineProperty(all, name, { value: 'bad', configurable: true });
  try {
    await run();
  } finally {
    Reflect.deleteProperty(all, name);
  }
}
