import 'fake-indexeddb/auto';
import { createIndexedDbStore } from '../../../playground/demo-backend/indexeddb-store.ts';
import { createMemoryStore } from '../../../playground/reference-backend/store.ts';
import { toWebhookStore } from '../../../playground/reference-backend/webhooks.ts';
import { webhookStoreConformance } from '../../server/webhook-store-conformance.ts';

webhookStoreConformance('the memory store of the demo shop', (views) => {
  const { events } = createMemoryStore();
  return Array.from({ length: views }, () => toWebhookStore(events));
});

let databases = 0;

webhookStoreConformance(
  'the IndexedDB store of the demo shop with one connection per tab',
  (views) => {
    databases += 1;
    const name = `shop ${databases}`;
    return Array.from({ length: views }, () => toWebhookStore(createIndexedDbStore(name).events));
  },
);
