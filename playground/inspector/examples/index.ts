import expiry from './expiry.json?raw';
import inFlowRetry from './in-flow-retry.json?raw';
import pausedWebhook from './paused-webhook.json?raw';

/** The example recordings that the page offers. */
export const EXAMPLES = [
  { id: 'paused-webhook', title: 'Paused webhook', text: pausedWebhook },
  { id: 'in-flow-retry', title: 'Retry in the same session', text: inFlowRetry },
  { id: 'expiry', title: 'Expiry', text: expiry },
] as const;
