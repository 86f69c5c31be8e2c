/** What the labs tell a frame to do. */
export type FrameOrder =
  | { readonly do: 'forge'; readonly message: object }
  | {
      readonly do: 'verify';
      readonly apiKey: string;
      readonly returnUrl: string;
      readonly externalUserId: string;
    };

/** What a frame says of itself. */
export type FrameWord =
  | { readonly frame: 'ready' }
  | { readonly frame: 'resolved'; readonly result: unknown }
  | { readonly frame: 'rejected'; readonly error: unknown };
