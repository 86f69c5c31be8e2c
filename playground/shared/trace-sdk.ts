/**
 * Records what a page of the shop does with the SDK, for the console's timeline. The HTML of these pages
 * loads this script after the SDK and before the shop's own code, so that the shop contains nothing of it: a
 * real shop does not need it.
 */
import type { OfAge, OfAgeOptions } from 'ofage';
import { formatError } from './kit/format-error.ts';
import type { OfAgeGlobal } from './sdk.ts';
import { trace } from './trace.ts';

/** The current window message, until it is known whether the SDK accepts it. */
let pendingMessage: { readonly origin: string; readonly data: unknown } | null = null;
/** The paths of the shop's server whose responses are recorded. */
const RECORDED = /\/shop\/(verification|checkout)$/;

tracePage(document.documentElement.dataset['page'] ?? 'Page');
window.fetch = tracedFetch(window.fetch);
if (window.OfAge) Object.assign(window, { OfAge: tracedSdk(window.OfAge) });

/** Returns the SDK wrapped so that each call, its result and each callback is recorded. */
function tracedSdk(Sdk: OfAgeGlobal): OfAgeGlobal {
  const { VERSION } = Sdk;

  class TracedOfAge implements OfAge {
    readonly verify: OfAge['verify'];
    readonly destroy: OfAge['destroy'];

    constructor(options: OfAgeOptions) {
      // Identifies a verify() call of this page before a session exists.
      let call: string | null = null;
      const inner = construct(
        Sdk,
        withNotes(options, () => call),
        options,
      );
      this.verify = (callOptions) => {
        call = crypto.randomUUID().slice(0, 8);
        const id = call;
        trace('sdk', 'verify() called', { call: id, options: callOptions ?? {} });
        const promise = inner.verify(callOptions);
        void promise.then(
          (result) =>
            trace(
              'sdk',
              `verify() resolved: ${result.status}`,
              { call: id, result },
              result.sessionId ?? null,
            ),
          (error: unknown) => {
            const { title, sessionId, detail } = describe(error);
            trace('sdk', `verify() rejected: ${title}`, { call: id, error: detail }, sessionId);
          },
        );
        return promise;
      };
      this.destroy = () => {
        trace('sdk', 'destroy() called', { call });
        inner.destroy();
      };
    }
  }

  return Object.assign(TracedOfAge, {
    VERSION,
    handleReturn: ((url) => {
      const returned = Sdk.handleReturn(url);
      trace(
        'sdk',
        `handleReturn() returned ${returned ? returned.status : 'null'}`,
        // Records the full address with its parameters, so that the timeline shows forged ones.
        { address: url ?? location.href, returned },
        returned?.sessionId ?? null,
      );
      return returned;
    }) satisfies OfAgeGlobal['handleReturn'],
  });
}

function construct(Sdk: OfAgeGlobal, noted: OfAgeOptions, given: OfAgeOptions): OfAge {
  const shown = { version: Sdk.VERSION, options: toShown(given) };
  try {
    const inner = new Sdk(noted);
    trace('sdk', 'new OfAge()', shown);
    return inner;
  } catch (error) {
    const { title, detail } = describe(error);
    trace('sdk', `new OfAge() threw: ${title}`, { ...shown, error: detail });
    throw error;
  }
}

/** Wraps the callbacks so that each call is recorded. Redirect mode calls only onError. */
function withNotes(options: OfAgeOptions, callId: () => string | null): OfAgeOptions {
  const { onComplete, onCancel, onError } = options;
  const isNewTab = options.mode === 'new-tab';
  return {
    ...options,
    ...(isNewTab && {
      onComplete: (result) => {
        noteMessage(true);
        trace(
          'callback',
          `onComplete: ${result.status}`,
          { call: callId(), result, isSet: onComplete !== undefined },
          result.sessionId,
        );
        onComplete?.(result);
      },
      onCancel: () => {
        noteMessage(true);
        const answer = onCancel?.();
        trace(
          'callback',
          `onCancel${answer === false ? ' returned false, so the page stays' : ''}`,
          {
            call: callId(),
            returned: answer ?? null,
            isSet: onCancel !== undefined,
          },
        );
        return answer;
      },
    }),
    // Set only if the shop has an onError, because with one the browser no longer reports an unhandled
    // rejection.
    ...(onError && {
      onError: (error) => {
        const { title, sessionId, detail } = describe(error);
        trace('callback', `onError: ${title}`, { call: callId(), error: detail }, sessionId);
        onError(error);
      },
    }),
  };
}

/** Makes options safe to show. Truncates keys and replaces functions with the word `function`. */
function toShown(options: unknown): Record<string, unknown> {
  const entries = Object.entries(Object(options)).map(([name, value]) => {
    if (typeof value === 'function') return [name, 'function'];
    const isKey = typeof value === 'string' && /(^|[^a-z])(pk|sk|whsec)_/i.test(value);
    return [name, isKey ? `${value.slice(0, 7)}…` : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function describe(error: unknown): {
  title: string;
  sessionId: string | null;
  detail: Record<string, unknown>;
} {
  const { name, code, message, sessionId, details }: Record<string, unknown> = Object(error);
  return {
    title: String(code ?? message ?? error),
    sessionId: typeof sessionId === 'string' ? sessionId : null,
    detail: { name, code, message, details },
  };
}

function noteMessage(isTaken: boolean): void {
  if (!pendingMessage) return;
  const { origin, data } = pendingMessage;
  pendingMessage = null;
  const { type, sessionId }: Record<string, unknown> = Object(data);
  trace(
    'message',
    `${isTaken ? 'Message accepted' : 'Message ignored'}: ${typeof type === 'string' ? type : 'no type'}`,
    { origin, data, isTaken },
    typeof sessionId === 'string' ? sessionId : null,
  );
}

/**
 * Records the window messages, loads, unloads and visibility changes of a page. Its listeners come before
 * those of other code.
 * @param name The name of the page, for example `Shop`.
 */
function tracePage(name: string): void {
  // The SDK accepts a message by calling a callback synchronously. If no callback has run by the next task,
  // the SDK ignored the message.
  window.addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
    noteMessage(false);
    const { type, sessionId, present } = Object(data) as Record<string, unknown>;
    if (type === 'ofage:verification:presence') {
      // The SDK calls no callback for this message.
      const title = `Message: the hosted page ${describePresence(present)}`;
      trace('message', title, { origin, data }, typeof sessionId === 'string' ? sessionId : null);
      return;
    }
    pendingMessage = { origin, data };
    setTimeout(() => noteMessage(false));
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    const how = persisted ? 'shown again, from the back/forward cache' : 'loaded';
    trace('page', `${name} ${how}`, { address: location.href, persisted });
  });
  window.addEventListener('pagehide', ({ persisted }) => {
    trace('page', `${name} left`, { address: location.href, persisted });
  });
  document.addEventListener('visibilitychange', () => {
    trace('page', `${name} ${document.visibilityState}`, { address: location.href });
  });
}

/** Describes the state that a page states in a message. */
function describePresence(present: unknown): string {
  if (present === true) return 'is open';
  return present === false ? 'is leaving' : 'unloads';
}

/** Wraps `fetch` so that each decision of the shop's server, and each session that it creates, is recorded. */
function tracedFetch(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const [, what] = RECORDED.exec(String(input)) ?? [];
    const answering = send.call(window, input, init);
    if (what === undefined) return answering;
    const asked = JSON.parse(String(init?.body ?? '{}')) as { readonly sessionId?: string };
    try {
      const answer = await answering;
      const body: unknown = answer.ok ? await answer.clone().json() : null;
      if (what === 'verification') noteDecision(asked.sessionId ?? null, answer.status, body);
      else noteCheckout(asked, answer.status, body);
      return answer;
    } catch (error) {
      noteFailure(what, asked.sessionId ?? null, formatError(error));
      throw error;
    }
  };
}

function noteDecision(sessionId: string | null, status: number, body: unknown): void {
  if (body === null) return noteFailure('verification', sessionId, `HTTP ${status}`);
  const { access, problem } = body as { access: boolean; problem: { code: string } | null };
  const why = problem ? `, ${problem.code}` : '';
  trace('server', `Shop's server: ${access ? 'access' : 'no access'}${why}`, body, sessionId);
}

/** The verifyUrl is not recorded, because it gives access to the session. */
function noteCheckout(urls: object, status: number, body: unknown): void {
  if (body === null) return noteFailure('checkout', null, `HTTP ${status}`);
  const { sessionId } = body as { sessionId: string };
  trace('server', "Shop's server created a session", { urls }, sessionId);
}

function noteFailure(what: string, sessionId: string | null, reason: string): void {
  const done = what === 'verification' ? 'decided' : 'created a session';
  trace('server', `Shop's server has not ${done}: ${reason}`, null, sessionId);
}
