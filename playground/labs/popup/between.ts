/**
 * The lab stands between the SDK and the browser for one call of `verify()`: it keeps the window that is
 * opened, and may hold up the create call or change its answer. Everything is put back at once.
 */
export interface Between {
  /** The window that `verify()` opened; `null` when it opened none. */
  readonly handle: Window | null;
}

export interface BetweenOptions {
  /** How long the create call is held up. Milliseconds. */
  readonly createDelayMs?: number;
  /** Changes where the created session's window goes. */
  readonly changeVerifyUrl?: (verifyUrl: string) => string;
}

/** Calls `run`, which must call `verify()` before it returns. */
export function standBetween(run: () => void, options: BetweenOptions): Between {
  const original = { open: window.open, fetch: window.fetch };
  let handle: Window | null = null;
  window.open = (...args) => {
    handle = original.open.apply(window, args);
    return handle;
  };
  window.fetch = async (input, init) => {
    // The create call is the first after this; whoever asks later has nothing to do with it.
    window.fetch = original.fetch;
    await new Promise((resolve) => setTimeout(resolve, options.createDelayMs ?? 0));
    const response = await original.fetch.call(window, input, init);
    return options.changeVerifyUrl ? change(response, options.changeVerifyUrl) : response;
  };
  try {
    run();
  } finally {
    window.open = original.open;
    window.fetch = original.fetch;
  }
  return { handle };
}

async function change(response: Response, to: (verifyUrl: string) => string): Promise<Response> {
  const body: unknown = await response.json();
  const { verifyUrl } = Object(body) as { verifyUrl?: unknown };
  const changed =
    typeof verifyUrl === 'string' ? { ...Object(body), verifyUrl: to(verifyUrl) } : body;
  return Response.json(changed, { status: response.status });
}
