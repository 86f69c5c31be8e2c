/** Undoes a replacement. */
type Undo = () => void;

/** Runs code of the reporter. An error of it must never reach the page. */
export function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/**
 * Replaces functions of the page while `call` runs, and restores them before anything else runs. A
 * replacement must return exactly what the original returns.
 */
export function duringCall<T>(replacements: readonly (() => Undo)[], call: () => T): T {
  const undos = replacements.map((replace) => quietly(replace));
  try {
    return call();
  } finally {
    for (const undo of undos) if (undo) quietly(undo);
  }
}

/** Replaces a function unless the page has protected it or replaces it again meanwhile. */
export function replace<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  wrap: (original: Target[Name] & Function, undo: Undo) => Target[Name],
): Undo {
  const original = target[name];
  const own = Object.getOwnPropertyDescriptor(target, name);
  if (typeof original !== 'function' || own?.configurable === false) return () => {};
  const undo = (): void => {
    if (target[name] !== replaced) return;
    if (own) Object.defineProperty(target, name, own);
    else delete target[name];
  };
  const replaced = wrap(original, undo);
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: own?.enumerable ?? true,
    writable: true,
    value: replaced,
  });
  return undo;
}

/** Sees how the first promise ends that the call creates, without handling it. */
export interface Ends {
  resolved(value: unknown): void;
  rejected(error: unknown): void;
}

/**
 * Watches the first promise that is created by `new Promise()`. A handler of the reporter would hide an
 * unhandled rejection from the page and its developer, so the reporter sees the end where it is decided.
 * @param onCreated Receives the promise.
 */
export function watchFirstPromise(ends: Ends, onCreated: (promise: unknown) => void): Undo {
  return replace(globalThis, 'Promise', (original, undo) => {
    const Original = original as PromiseConstructor;
    const Watching: PromiseConstructor = new Proxy(Original, {
      construct(target, [executor, ...rest], newTarget: Function) {
        undo();
        const watched: ConstructorParameters<PromiseConstructor>[0] = (resolve, reject) =>
          (executor as typeof watched)(
            (value) => {
              quietly(() => ends.resolved(value));
              resolve(value);
            },
            (error: unknown) => {
              quietly(() => ends.rejected(error));
              reject(error);
            },
          );
        const created = Reflect.construct(
          target,
          [typeof executor === 'function' ? watched : executor, ...rest],
          newTarget === Watching ? target : newTarget,
        ) as object;
        quietly(() => onCreated(created));
        return created;
      },
    });
    return Watching;
  });
}
