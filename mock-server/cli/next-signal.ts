/**
 * Milliseconds during which a repeated signal is ignored, because npx forwards the Ctrl-C that the terminal
 * has already sent.
 */
const REPEAT_MS = 250;

/** Resolves at the first Ctrl-C or SIGTERM. One that comes after REPEAT_MS ends the process at once. */
export function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stoppedAtMs: number | undefined;
    const onSignal = (): void => {
      stoppedAtMs ??= performance.now();
      // 130 is the exit code that shells use for SIGINT.
      if (performance.now() - stoppedAtMs > REPEAT_MS) process.exit(130);
      resolve();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}
