export interface PageAddress {
  readonly sessionId: string | null;
  /** The session's token, or on a second device the one in the QR code. */
  readonly token: string | null;
  readonly lang: string | null;
  readonly skipIntro: boolean;
  readonly autoReturn: boolean;
}

export function parsePageAddress(search: string): PageAddress {
  const params = new URLSearchParams(search);
  return {
    sessionId: params.get('sessionId'),
    token: params.get('sessionToken') ?? params.get('handoffToken'),
    lang: params.get('lang'),
    skipIntro: params.get('skip_intro') === 'true',
    autoReturn: params.get('auto_return') === 'true',
  };
}
