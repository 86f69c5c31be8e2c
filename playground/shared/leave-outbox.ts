/**
 * The key prefix of pending leave messages. In the static playground, a closing page also ends its own
 * request handlers, so a request sent during unload gets no response. The page writes a message to
 * localStorage instead, because a synchronous write still completes. Another open page, or the next page to
 * load, sends it.
 */
const PREFIX = 'ofage-playground:left:';

export function noteLeave(sessionToken: string): void {
  localStorage.setItem(PREFIX + sessionToken, String(Date.now()));
}

/** Sends all pending leave messages, now and whenever another tab adds one. */
export async function deliverLeaves(
  send: (sessionToken: string) => Promise<unknown>,
): Promise<void> {
  const deliver = async (): Promise<void> => {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) {
      localStorage.removeItem(key);
      await send(key.slice(PREFIX.length));
    }
  };
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue !== null) void deliver();
  });
  await deliver();
}
