/** A command of the labs to a frame. */
export type FrameCommand =
  | { readonly do: 'forge'; readonly message: object }
  | {
      readonly do: 'verify';
      readonly apiKey: string;
      readonly returnUrl: string;
      readonly externalUserId: string;
    };

/** A status message of a frame. */
export type FrameReport =
  | { readonly frame: 'ready' }
  | { readonly frame: 'resolved'; readonly result: unknown }
  | { readonly frame: 'rejected'; readonly error: unknown };
