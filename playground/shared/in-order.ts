/** Creates a queue that runs changes one after the other, whether or not the one before succeeded. */
export function createOrder(): <Value>(change: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (change) => {
    const done = last.then(change);
    last = done.catch(() => undefined);
    return done;
  };
}
