import { expect, it } from 'vitest';
import {
  openInbox,
  type HandleWebhook,
  type WebhookAnswer,
} from '../../mock-server/conformance/inbox.ts';

/** Opens an inbox at a base URL, and returns a function that sends a webhook to an address. */
async function anInbox(url = 'https://hooks.example/kit') {
  let handle: HandleWebhook = () => expect.unreachable();
  const inbox = await openInbox({
    url,
    async listen(given) {
      handle = given;
      return async () => {};
    },
  });
  const send = (to: string): Promise<WebhookAnswer> =>
    handle({ url: to, headers: new Headers(), bytes: new TextEncoder().encode('{}') });
  return { inbox, send };
}

it.each<[why: string, change: (url: string) => string, mailbox: 'first' | 'newest']>([
  ['its URL', (url) => url, 'first'],
  ['its URL with a query', (url) => `${url}?a=1`, 'first'],
  ['a path below its URL', (url) => `${url}/hook`, 'first'],
  ['its path alone', (url) => new URL(url).pathname, 'first'],
  [
    'its path at another host and base',
    (url) => `http://x.example/y/${url.split('/').at(-1)}`,
    'first',
  ],
  ['an address whose path a forwarding service dropped', () => 'https://x.example/', 'newest'],
  ['an address whose name only begins like one', (url) => `${url}0`, 'newest'],
  ['a name that no mailbox has', () => '/check-99', 'newest'],
])('a webhook to a mailbox arrives there at %s', async (_why, change, mailbox) => {
  const { inbox, send } = await anInbox();
  const first = inbox.open();
  inbox.open();
  const newest = inbox.open();
  first.respond = (n) => ({ status: 200 + n });
  newest.respond = (n) => ({ status: 210 + n });
  const base = mailbox === 'first' ? 200 : 210;
  for (const n of [1, 2]) expect(await send(change(first.url))).toEqual({ status: base + n });
  expect([first.received.length, newest.received.length]).toEqual(
    mailbox === 'first' ? [2, 0] : [0, 2],
  );
});

it('a webhook before the first mailbox is refused with 410, so that it is not retried', async () => {
  const { send } = await anInbox();
  expect(await send('/check-1')).toEqual({ status: 410 });
});

it('a base URL may end with slashes', async () => {
  const { inbox } = await anInbox('https://hooks.example/kit//');
  expect(inbox.open().url).toBe('https://hooks.example/kit/check-1');
});
