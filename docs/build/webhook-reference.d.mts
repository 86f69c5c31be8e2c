/** Returns the reference of the webhooks in Markdown, from their AsyncAPI document. */
export function toWebhookPage(document: object): string;
