/**
 * Replaces the interceptors of `fetch`, `XMLHttpRequest` and `WebSocket` in the static playground. MSW uses
 * the first two in browsers without service workers, where the playground does not run. No page of the
 * playground opens a WebSocket.
 */
class NoInterceptor {
  /** Tells MSW not to start this interceptor. */
  predicate(): boolean {
    return false;
  }

  on(): void {}

  removeListener(): void {}
}

export {
  NoInterceptor as FetchInterceptor,
  NoInterceptor as WebSocketClientConnection,
  NoInterceptor as WebSocketInterceptor,
  NoInterceptor as WebSocketServerConnection,
  NoInterceptor as XMLHttpRequestInterceptor,
};
