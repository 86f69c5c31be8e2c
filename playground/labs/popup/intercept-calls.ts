export interface Interception {
  /** The window that `verify()` opened, or `null` if it opened none. */
  readonly handle: Window | null;
}

export interface InterceptionOptions {
  /** Delay of the create call. Milliseconds. */
  readonly createDelayMs?: number;
  /** Changes the created session's verifyUrl. */
  readonly changeVerifyUrl?: (verifyUrl: string) => string;
}

/**
 * Calls `run`, which must call `verify()` before it returns. Records the window that the SDK opens, and may
 * delay the create call or change its response. Afterwards, the browser's functions are restored.
 */
export function interceptCalls(run: () => void, options: InterceptionOptions): Interception {
  const original = { open: window.open, fetch: window.fetch };
  let handle: Window | null = null;
  window.open = (...args) => {
    handle = original.open.apply(window, args);
    return handle;
  };
  window.fetch = async (input, init) => {
    // Only the first request is the create call. Later requests must not be affected.
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
