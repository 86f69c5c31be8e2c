import type { OfAge, OfAgeOptions } from 'ofage';
import { formatError } from '../shared/kit/format-error.ts';
import { sdk, type OfAgeGlobal } from '../shared/sdk.ts';
import type { ShopApi } from '../shared/shop-api.ts';
import { trace } from '../shared/trace.ts';

/**
 * Eyes for the inspector, around what a shop uses anyway. A real shop has none of this: it takes
 * `sdk()` and `createShopApi()` as they are.
 */

/** The SDK, with a note of each call, what came of it, and each callback. */
export function tracedSdk(): OfAgeGlobal {
  const Sdk = sdk();
  const { VERSION } = Sdk;

  class TracedOfAge implements OfAge {
    readonly verify: OfAge['verify'];
    readonly destroy: OfAge['destroy'];

    constructor(options: OfAgeOptions) {
      // Tells the attempts of one page apart, before there is a session.
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
        // The address with its parameters: whoever forges one is to be seen here.
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

/** The options with a note in front of each callback. In redirect mode there are none but onError. */
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
        trace('callback', `onCancel${answer === false ? ', which stays on the page' : ''}`, {
          call: callId(),
          returned: answer ?? null,
          isSet: onCancel !== undefined,
        });
        return answer;
      },
    }),
    // Only where the shop has one: with it, a rejection that nobody handles is not reported.
    ...(onError && {
      onError: (error) => {
        const { title, sessionId, detail } = describe(error);
        trace('callback', `onError: ${title}`, { call: callId(), error: detail }, sessionId);
        onError(error);
      },
    }),
  };
}

/** Keys by their beginning, functions by their name. */
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

/** A window message that waits for what becomes of it. */
let heard: { readonly origin: string; readonly data: unknown } | null = null;

function noteMessage(isTaken: boolean): void {
  if (!heard) return;
  const { origin, data } = heard;
  heard = null;
  const { type, sessionId }: Record<string, unknown> = Object(data);
  trace(
    'message',
    `${isTaken ? 'Message taken' : 'Message ignored'}: ${typeof type === 'string' ? type : 'of no type'}`,
    { origin, data, isTaken },
    typeof sessionId === 'string' ? sessionId : null,
  );
}

/**
 * Notes what happens to a page: messages, coming, going. Call it before anything else listens.
 * @param name for example `Shop`
 */
export function tracePage(name: string): void {
  // The SDK takes a message by calling back at once, while it is being handled. What has called
  // nothing back by the next task was ignored.
  window.addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
    noteMessage(false);
    const { type, sessionId, present } = Object(data) as Record<string, unknown>;
    if (type === 'ofage:verification:presence') {
      // The SDK calls nothing back for it.
      const title = `Message: the hosted page ${present === true ? 'is there' : 'leaves'}`;
      trace('message', title, { origin, data }, typeof sessionId === 'string' ? sessionId : null);
      return;
    }
    heard = { origin, data };
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

/** The shop's server, with a note of what it decides. */
export function tracedShopApi<Api extends ShopApi>(api: Api): Api {
  return {
    ...api,
    async verification(sessionId) {
      const decision = await noted('decided', sessionId, () => api.verification(sessionId));
      const { access, problem } = decision;
      const why = problem ? `, ${problem.code}` : '';
      trace(
        'server',
        `Shop's server: ${access ? 'access' : 'no access'}${why}`,
        decision,
        sessionId,
      );
      return decision;
    },
    async checkout(urls) {
      const session = await noted('created a session', null, () => api.checkout(urls));
      // Not the address, which opens the session.
      trace('server', "Shop's server created a session", { urls }, session.sessionId);
      return session;
    },
  };
}

async function noted<Value>(
  what: string,
  sessionId: string | null,
  ask: () => Promise<Value>,
): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    const message = formatError(error);
    trace('server', `Shop's server has not ${what}: ${message}`, null, sessionId);
    throw error;
  }
}
