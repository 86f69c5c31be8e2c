import type { KeyPairResource } from 'ofage/mock';
import type { ControlCall, ControlMethod } from 'ofage/mock/client';
import type { LiveNews, LiveTopic } from './news.ts';

/** The changes whose answer is the resource as it is now. */
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

/** The deletions, which take the id of what they delete. */
const DELETED: { readonly [Method in ControlMethod]?: LiveTopic } = {
  deleteEndpoint: 'endpoint',
  deleteFault: 'fault',
};

/** Returns what the answer to a change says, as the stream says it a moment later. */
export function toNews({ name, args }: Omit<ControlCall, 'isChange'>, answer: unknown): LiveNews[] {
  const answered = ANSWERED[name];
  if (answered) return [{ topic: answered, data: answer }];
  const deleted = DELETED[name];
  if (deleted) return [{ topic: deleted, data: { id: args[0], deleted: true } }];
  if (name !== 'createKeyPair') return [];
  const { publishable, secret } = answer as KeyPairResource;
  return [publishable, secret].map((data) => ({ topic: 'key', data }));
}
