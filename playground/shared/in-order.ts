/** Creates a queue that runs changes one after another, even if the previous one failed. */
export function createOrder(): <Value>(change: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (change) => {
    const done = last.then(change);
    last = done.catch(() => undefined);
    return done;
  };
}
