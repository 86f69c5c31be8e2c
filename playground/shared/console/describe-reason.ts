const REASONS: Readonly<Record<string, string>> = {
  paused: 'endpoint paused',
  disabled: 'endpoint switched off',
  expired: 'gave up, too late',
  attempts: 'gave up after the last retry',
  rejected: 'rejected, so not retried',
  lost: 'mock stopped during the request',
};

/** Says in words why an event was not delivered. */
export const describeReason = (reason: string): string => REASONS[reason] ?? reason;
