/** Time in which a repeated signal is ignored: npx forwards the Ctrl-C that the terminal also sent. */
const REPEAT_MS = 250;

/** Resolves at the first Ctrl-C or SIGTERM; the second ends the process where it stands. */
export function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stoppedAtMs: number | undefined;
    const onSignal = (): void => {
      stoppedAtMs ??= performance.now();
      // The shell's code for an end by SIGINT.
      if (performance.now() - stoppedAtMs > REPEAT_MS) process.exit(130);
      resolve();
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}
