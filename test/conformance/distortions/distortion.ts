import type { Driver } from 'ofage-mock/conformance';
import type { Sender, WebhookRequest, WebhookResult } from 'ofage-mock';

/** A change at one place between the kit and a correct service, which breaks one promise of the service. */
export interface Distortion {
  readonly name: string;
  /** Changes the response to the last request of a check. */
  readonly answer?: (response: Response, memory: Memory) => Response | Promise<Response>;
  /** Sends a webhook. `next` is the correct sender. */
  readonly send?: (
    request: WebhookRequest,
    next: Sender['send'],
    memory: Memory,
  ) => Promise<WebhookResult>;
  /** Returns the functions of the driver that differ. */
  readonly driver?: (correct: Required<Driver>) => Driver;
}

/** What a check has sent and received so far. */
export interface Memory {
  /** The addresses of all endpoints that the check has configured. */
  readonly urls: Set<string>;
  /** The keys that it has sent, and the bodies of the responses. */
  readonly texts: string[];
}
