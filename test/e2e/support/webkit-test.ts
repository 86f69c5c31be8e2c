import { setTimeout as sleep } from 'node:timers/promises';
import type { Tab } from './tab.ts';
import { test } from './test.ts';
import { startDisplay, startWebKit } from './webkit.ts';

const CAMERA = ['--enable-media-stream=true', '--enable-mock-capture-devices=true'];

/** `test` with a WebKit tab, on a separate display for each worker. */
export const webkitTest = test.extend<{ tab: Tab }>({
  tab: async ({ shared }, use, info) => {
    const { display } = await shared(info.file, startDisplay);
    const { tab, stop } = await startWebKit(display, CAMERA);
    await use(tab);
    if (info.status !== info.expectedStatus) {
      const attach = tab
        .screenshot()
        .then((body) => info.attach('screenshot', { body, contentType: 'image/png' }));
      await Promise.race([attach.catch(() => {}), sleep(3000)]);
    }
    await stop();
  },
});
