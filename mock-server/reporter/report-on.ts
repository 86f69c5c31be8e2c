import { duringCall, quietly, replace, watchFirstPromise } from './during-call.ts';
import {
  readSessionId,
  toCallFacts,
  toErrorFacts,
  toFact,
  toOptionFacts,
  toResultFacts,
} from './facts.ts';
import { type About, newId, type PendingReport, type Reporter } from './reporter.ts';
import { watchPage } from './watch-page.ts';

/** An instance of the SDK. */
interface Instance {
  verify(...args: unknown[]): Promise<unknown>;
  destroy(...args: unknown[]): void;
}

/** The constructor of the SDK, as far as the reporter uses it. */
interface Sdk {
  // oxlint-disable-next-line typescript/no-explicit-any -- the reporter passes on any arguments
  new (...args: any[]): Instance;
  readonly VERSION: string;
}

/** A call of `verify()`. */
interface Attempt {
  readonly id: string;
  sessionId: string | undefined;
}

type Facts = PendingReport['facts'];
type Callback = (...args: unknown[]) => unknown;

/**
 * Returns the constructor of the SDK as one that reports what a page does with it. Results, errors, their
 * order, callbacks and statics stay those of the SDK: the reporter only looks on from outside.
 */
export function reportOn<T extends Sdk>(Sdk: T, reporter: Reporter): T {
  const page = watchPage(reporter);
  const attempts = new WeakMap<object, Attempt>();
  const Reporting: T = new Proxy(Sdk, {
    construct(target, args: unknown[], newTarget: Function) {
      const [given, ...rest] = args;
      const options = isPlain(given) ? given : {};
      const instance: { current: Attempt | null } = { current: null };
      const watched = isPlain(given) ? quietly(() => withCallbacks(given, instance)) : undefined;
      const facts = { version: Sdk.VERSION, ...quietly(() => toOptionFacts(options)) };
      const key = quietly(() => options['apiKey']);
      if (isPublishable(key)) reporter.useKey(key);
      try {
        const inner = duringCall([watchWarnings], () =>
          Reflect.construct(target, [watched ?? given, ...rest].slice(0, args.length), newTarget),
        ) as Instance;
        reporter.add('sdk.created', facts);
        quietly(() => watchInstance(inner, instance, toFact(options['mode'] ?? 'redirect')));
        return inner;
      } catch (error) {
        reporter.add('sdk.refused', { ...facts, ...quietly(() => toErrorFacts(error)) });
        throw error;
      }
    },
  });
  quietly(() => {
    Sdk.prototype.constructor = Reporting;
  });
  quietly(() => watchReturns(Sdk as T & { handleReturn?: Callback }));
  return Reporting;

  function add(kind: PendingReport['kind'], facts: Facts, attempt: Attempt | null): void {
    reporter.add(kind, facts, aboutOf(attempt));
  }

  function aboutOf(attempt: Attempt | null): About {
    return attempt ? { attemptId: attempt.id, sessionId: attempt.sessionId } : {};
  }

  function watchInstance(
    inner: Instance,
    instance: { current: Attempt | null },
    mode: string | undefined,
  ): void {
    const { verify, destroy } = inner;
    inner.verify = function (this: unknown, ...args) {
      const attempt: Attempt = { id: newId(), sessionId: undefined };
      instance.current = attempt;
      quietly(() =>
        add('verify.called', { mode, ...readMoment(), ...toCallFacts(args[0]) }, attempt),
      );
      let created: unknown;
      const ends = {
        resolved(result: unknown) {
          page.noteEffect();
          attempt.sessionId ??= readSessionId(result);
          add('verify.resolved', toResultFacts(result), attempt);
        },
        rejected(error: unknown) {
          page.noteEffect();
          attempt.sessionId ??= readSessionId(error);
          add('verify.rejected', toErrorFacts(error), attempt);
        },
      };
      const promise = duringCall(
        [
          watchWarnings,
          () => watchFirstPromise(ends, (value) => (created = value)),
          () => watchOpen(attempt),
          () => watchCreate(attempt),
        ],
        () => verify.apply(this, args),
      );
      const running = attempts.get(promise);
      if (running) {
        // A further click on the same verification, which returns the promise of the first.
        reporter.moveAttempt(attempt.id, running.id);
        instance.current = running;
      } else if (promise === created) attempts.set(promise, attempt);
      return promise;
    };
    inner.destroy = function (this: unknown, ...args) {
      add('destroy.called', {}, instance.current);
      return duringCall([watchWarnings], () => destroy.apply(this, args));
    };
  }

  /**
   * Returns the options with callbacks that are reported. Each option is read when the SDK reads it. The
   * object of the page is not wrapped in a proxy, because one must not change an option that is read-only.
   */
  function withCallbacks(given: object, instance: { current: Attempt | null }): object {
    const watched: object = Object.create(given);
    for (const name of Object.keys(given))
      Object.defineProperty(watched, name, {
        enumerable: true,
        get() {
          const value: unknown = Reflect.get(given, name);
          const isCallback =
            typeof value === 'function' && /^on(Complete|Cancel|Error)$/.test(name);
          return isCallback ? watchCallback(name, value as Callback, instance) : value;
        },
      });
    return watched;
  }

  function watchCallback(
    name: string,
    callback: Callback,
    instance: { current: Attempt | null },
  ): Callback {
    return function (this: unknown, ...args) {
      const [about] = args;
      page.noteEffect();
      const report = quietly(() => {
        const attempt = instance.current;
        const sessionId = attempt?.sessionId ?? readSessionId(about);
        const facts = name === 'onError' ? toErrorFacts(about) : toResultFacts(about);
        return reporter.add(
          'callback.called',
          { name, ...facts },
          { ...aboutOf(attempt), sessionId },
        );
      });
      try {
        const returned = callback.apply(this, args);
        if (report) report.facts.returned = toFact(returned);
        return returned;
      } catch (error) {
        if (report) report.facts.returned = 'an exception';
        throw error;
      }
    };
  }

  function watchOpen(attempt: Attempt): () => void {
    return replace(
      window,
      'open',
      (original) =>
        function (this: unknown, ...args: unknown[]) {
          const opened = (original as Callback).apply(this, args) as Window | null | undefined;
          // The page may have a function of this name that opens nothing.
          if (opened !== undefined)
            quietly(() =>
              add('window.opened', { isOpen: opened !== null && !opened.closed }, attempt),
            );
          return opened;
        } as typeof window.open,
    );
  }

  /** Reads the session from the response that the SDK reads, because only the SDK waits for it. */
  function watchCreate(attempt: Attempt): () => void {
    return replace(
      globalThis,
      'fetch',
      (original, undo) =>
        function (this: unknown, ...args: unknown[]) {
          undo();
          const response = (original as Callback).apply(this, args) as Promise<Response>;
          void quietly(() =>
            response.then(
              (answer) => quietly(() => watchBody(answer, attempt)),
              () => {},
            ),
          );
          return response;
        } as typeof fetch,
    );
  }

  function watchBody(response: Response, attempt: Attempt): void {
    const { json } = response;
    response.json = function (this: Response) {
      const body = json.call(this);
      void quietly(() =>
        body.then(
          (created: unknown) => {
            attempt.sessionId ??= readSessionId(created);
            if (attempt.sessionId !== undefined) add('session.created', {}, attempt);
          },
          () => {},
        ),
      );
      return body;
    };
  }

  function watchReturns(target: { handleReturn?: Callback }): void {
    const { handleReturn } = target;
    if (typeof handleReturn !== 'function') return;
    target.handleReturn = function (this: unknown, ...args) {
      const returned = duringCall([watchWarnings], () => handleReturn.apply(this, args));
      quietly(() => {
        const { searchParams } = new URL(String(args[0] ?? location.href), location.href);
        const named = searchParams.get('sessionId') ?? undefined;
        const sessionId = readSessionId(returned) ?? toFact(named);
        if (sessionId !== undefined) reporter.useSession(sessionId);
        const status = returned === null ? undefined : toFact(Object(returned).status);
        const timestamp = toFact(searchParams.get('timestamp') ?? undefined);
        reporter.add('return.read', { status, timestamp, sessionId }, { sessionId });
      });
      return returned;
    };
  }

  function watchWarnings(): () => void {
    return replace(
      console,
      'warn',
      (original) =>
        function (this: unknown, ...args: unknown[]) {
          const message = toFact(args[0]);
          if (message?.startsWith('OfAge')) reporter.add('warning.written', { message });
          return (original as Callback).apply(this, args);
        } as typeof console.warn,
    );
  }
}

/** Tells whether the SDK accepts a value as options. It passes on every other value unchanged. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** A wrong key may be a secret one, which must not leave the page. */
function isPublishable(key: unknown): key is string {
  return (
    typeof key === 'string' && /^pk_[\w.+/=:@-]{1,190}$/.test(key) && !/(sk|whsec)_/i.test(key)
  );
}

/** Tells whether the page is in a click, as far as the browser tells. */
function readMoment(): Facts {
  const { userActivation } = navigator;
  return { isInClick: userActivation?.isActive, isPageUsed: userActivation?.hasBeenActive };
}
