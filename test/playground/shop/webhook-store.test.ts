import 'fake-indexeddb/auto';
import { createIndexedDbStore } from '../../../playground/demo-server/indexeddb-store.ts';
import { createMemoryStore } from '../../../playground/shop/server/store.ts';
import { toWebhookStore } from '../../../playground/shop/server/webhooks.ts';
import { webhookStoreConformance } from '../../server/webhook-store-conformance.ts';

webhookStoreConformance('the memory store of the demo shop', (views) => {
  const { events } = createMemoryStore();
  return Array.from({ length: views }, () => toWebhookStore(events));
});

let databases = 0;

webhookStoreConformance(
  'the IndexedDB store of the demo shop with one connection per tab',
  (views) => {
    const name = `shop ${(databases += 1)}`;
    return Array.from({ length: views }, () => toWebhookStore(createIndexedDbStore(name).events));
  },
);
