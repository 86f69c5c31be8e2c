/**
 * In the static playground nobody answers a request that a closing page sends: its own handlers die
 * with it. So it leaves a note in localStorage, which a synchronous write does reach, and the next
 * page that is there, or that comes up, sends it.
 */
const PREFIX = 'ofage-playground:left:';

export function noteLeave(sessionToken: string): void {
  localStorage.setItem(PREFIX + sessionToken, String(Date.now()));
}

/** Sends what was noted, now and whenever another tab notes more. */
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
