/** The parts of a Playwright `Browser` that the kit uses. */
export interface BrowserLike {
  /** Creates a context whose pages see a browser in this language. */
  newContext(options: { locale: string }): Promise<ContextLike>;
}

/** A Playwright `BrowserContext`. */
export interface ContextLike {
  readonly clock: {
    /** Replaces the timers of the pages, so that `fastForward` can run them. */
    install(): Promise<unknown>;
  };
  /** Opens a blank page. */
  newPage(): Promise<PageLike>;
  /** Adds a script that runs in each page before the scripts of the page. */
  addInitScript(script: { content: string }): Promise<unknown>;
  /** Closes the context and its pages. */
  close(): Promise<void>;
}

/** A Playwright `Page`. */
export interface PageLike {
  readonly clock: {
    /** Runs the timers that are due within this time. */
    fastForward(ms: number): Promise<unknown>;
  };
  /** Calls the listener for each request of the page and of its frames. */
  on(event: 'request', listener: (request: RequestLike) => void): unknown;
  /** Passes requests for some addresses to a handler. */
  route(
    matches: (url: URL) => boolean,
    handler: (route: RouteLike) => Promise<void>,
  ): Promise<unknown>;
  /** Navigates, and waits until the page has loaded. */
  goto(url: string): Promise<ResponseLike | null>;
  /** Evaluates an expression in the page, and resolves to its value. */
  evaluate(expression: string): Promise<unknown>;
  /** Returns the current address, also after the page has navigated. */
  url(): string;
  /** Returns the frame of the page itself. */
  mainFrame(): object;
  /** Closes the page, at the end of its check. */
  close(): Promise<void>;
}

/** A Playwright `Request`. */
export interface RequestLike {
  /** Returns the requested address. */
  url(): string;
  /** Tells whether a frame navigates to the address. */
  isNavigationRequest(): boolean;
  /** Returns the frame that sent the request. */
  frame(): object;
}

/** A Playwright `Response`. */
export interface ResponseLike {
  /** Returns the status of the page itself, after any redirects. */
  status(): number;
  /** Returns the headers. Their names are in lower case. */
  headers(): Record<string, string>;
}

/** A Playwright `Route`. */
export interface RouteLike {
  /** Answers the request in place of the shop. */
  fulfill(response: { contentType: string; body: string }): Promise<void>;
}
