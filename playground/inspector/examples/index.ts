import expiry from './expiry.json?raw';
import inFlowRetry from './in-flow-retry.json?raw';
import pausedWebhook from './paused-webhook.json?raw';

/** Scenarios to begin with. */
export const EXAMPLES = [
  { id: 'paused-webhook', title: 'Paused webhook', text: pausedWebhook },
  { id: 'in-flow-retry', title: 'In-flow retry', text: inFlowRetry },
  { id: 'expiry', title: 'Expiry', text: expiry },
] as const;
