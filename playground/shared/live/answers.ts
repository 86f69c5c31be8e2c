import type { KeyPairResource } from 'ofage/mock';
import type { ControlCall, ControlMethod } from 'ofage/mock/client';
import type { LiveMessage, LiveTopic } from './messages.ts';

/** The topic of each change whose response is the created or updated resource. */
const ANSWERED: { readonly [Method in ControlMethod]?: LiveTopic } = {
  createTenant: 'tenant',
  updateTenant: 'tenant',
  setKeyStatus: 'key',
  revokeKey: 'key',
  createEndpoint: 'endpoint',
  updateEndpoint: 'endpoint',
  migrateLegacyWebhook: 'endpoint',
  settle: 'session',
  addFault: 'fault',
  'clock.freeze': 'clock',
  'clock.resume': 'clock',
  'clock.advance': 'clock',
  'clock.set': 'clock',
  'clock.next': 'clock',
};

/** The topic of each deletion. Its first argument is the id of the deleted resource. */
const DELETED: { readonly [Method in ControlMethod]?: LiveTopic } = {
  deleteEndpoint: 'endpoint',
  deleteFault: 'fault',
};

/**
 * Converts the response to a change into the messages that the stream sends for this change a moment later.
 */
export function toMessages(
  { name, args }: Omit<ControlCall, 'isChange'>,
  answer: unknown,
): LiveMessage[] {
  const answered = ANSWERED[name];
  if (answered) return [{ topic: answered, data: answer }];
  const deleted = DELETED[name];
  if (deleted) return [{ topic: deleted, data: { id: args[0], deleted: true } }];
  if (name !== 'createKeyPair') return [];
  const { publishable, secret } = answer as KeyPairResource;
  return [publishable, secret].map((data) => ({ topic: 'key', data }));
}
