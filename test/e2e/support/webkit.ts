/** WebKitGTK over W3C WebDriver: Debian's WebKitWebDriver and MiniBrowser under Xvfb, without an npm package. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Tab } from './tab.ts';
import { findFreePort } from '../../support/free-port.ts';

type Send = (method: string, path: string, body?: unknown) => Promise<any>;

/** A busy machine can need this long to start a window and load a page. */
const TIMEOUT_MS = 30_000;
const CLICK_MS = 5_000;
const ANSWER_MS = 20_000;
/** A browser starts within about three seconds or never. */
const START_MS = 12_000;

export interface Display {
  /** The name of the display, for example `:99`. */
  readonly display: string;
  stop(): Promise<void>;
}

/** Starts an X display. With `-displayfd`, Xvfb chooses a free one and reports when it is ready. */
export async function startDisplay(): Promise<Display> {
  const xvfb = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const [number] = await once(xvfb.stdio[3] as NodeJS.ReadableStream, 'data');
  return { display: `:${String(number).trim()}`, stop: () => kill(xvfb) };
}

interface WebKit {
  readonly tab: Tab;
  stop(): Promise<void>;
}

interface Network {
  /** The port of a proxy for https, whose certificates are not checked. @default none */
  readonly proxyPort?: number;
}

const toProxyOptions = ({ proxyPort }: Network): string[] =>
  proxyPort === undefined
    ? []
    : [
        `--proxy=http://127.0.0.1:${proxyPort}`,
        '--ignore-host=localhost',
        '--ignore-host=127.0.0.1',
        '--ignore-tls-errors',
      ];

/** Starts a browser. Retries once, because a failed start says nothing about the tested page. */
export async function startWebKit(
  display: string,
  args: readonly string[] = [],
  network: Network = {},
): Promise<WebKit> {
  try {
    return await startOnce(display, args, network);
  } catch (error) {
    console.warn(`WebKit failed to start, retrying: ${String(error)}`);
    return startOnce(display, args, network);
  }
}

/**
 * Starts one driver and one browser with an empty profile. A driver is never reused, because its second
 * session hangs forever in about one of a hundred cases.
 */
async function startOnce(
  display: string,
  args: readonly string[],
  network: Network,
): Promise<WebKit> {
  const port = await findFreePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    // A separate process group, so that the browser ends too even if the session could not be deleted.
    detached: true,
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1',
      LANG: 'en_US.UTF-8',
    },
  });
  const send: Send = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(path === '/session' ? START_MS : ANSWER_MS),
    }).catch((cause: unknown) => {
      throw new Error(`${method} ${path} ${JSON.stringify(body ?? null)}: no response`, { cause });
    });
    const { value } = (await response.json()) as { value: any };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  const stop = async (): Promise<void> => {
    try {
      process.kill(-driver.pid!, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
    await kill(driver);
  };
  try {
    await until(
      () =>
        send('GET', '/status').then(
          () => true,
          () => false,
        ),
      'the driver to answer',
    );
    const { sessionId } = await send('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': {
            binary: miniBrowser(),
            args: ['--automation', ...toProxyOptions(network), ...args],
          },
        },
      },
    });
    const session = new Session((method, path, body) =>
      send(method, `/session/${sessionId}${path}`, body),
    );
    return {
      tab: await session.first(),
      stop: async () => {
        await Promise.race([session.end().catch(() => {}), sleep(3000)]);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

class Session {
  #current: string | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  async first(): Promise<Tab> {
    return this.#tab(await this.#send('GET', '/window'));
  }

  end(): Promise<void> {
    return this.#send('DELETE', '');
  }

  #handles(): Promise<string[]> {
    return this.#send('GET', '/window/handles');
  }

  /** Runs one command at a time, after switching to its window. */
  #in<R>(handle: string, command: () => Promise<R>): Promise<R> {
    const next = this.#queue.then(async () => {
      if (this.#current !== handle) {
        await this.#send('POST', '/window', { handle });
        this.#current = handle;
      }
      return command();
    });
    this.#queue = next.catch(() => {
      this.#current = undefined;
    });
    return next;
  }

  /** Creates a tab. `frames` are the selectors of the nested frames, outermost first. */
  #tab(handle: string, frames: readonly string[] = []): Tab {
    const on = <R>(command: () => Promise<R>): Promise<R> =>
      this.#in(handle, async () => {
        if (frames.length === 0) return command();
        for (const css of frames) {
          const id = await this.#send('POST', '/element', { using: 'css selector', value: css });
          await this.#send('POST', '/frame', { id });
        }
        try {
          return await command();
        } finally {
          await this.#send('POST', '/frame', { id: null });
        }
      });
    const find = async (css: string): Promise<string> => {
      let found = '';
      await until(async () => {
        const element = await this.#send('POST', '/element', {
          using: 'css selector',
          value: css,
        }).catch(() => null);
        if (element) found = `/element/${Object.values(element)[0]}`;
        return element !== null;
      }, `an element that matches "${css}"`);
      return found;
    };
    const tab: Tab = {
      goto: (url) => on(() => this.#send('POST', '/url', { url })),
      url: () => on(() => this.#send('GET', '/url')),
      back: () => on(() => this.#send('POST', '/back', {})),
      click: (css) =>
        on(async () => {
          const clicked = this.#send('POST', `${await find(css)}/click`, {});
          // The driver sometimes never responds to a click that navigates, although it continues to work.
          clicked.catch(() => {});
          await Promise.race([clicked, sleep(CLICK_MS)]);
        }),
      clickToClose: async (css) => {
        await tab.click(css).catch(async (error: unknown) => {
          if (!(await tab.isClosed())) throw error;
        });
        await until(() => tab.isClosed(), 'the window to close');
        this.#current = undefined;
      },
      type: (css, text) => on(async () => this.#send('POST', `${await find(css)}/value`, { text })),
      text: (css) => on(async () => this.#send('GET', `${await find(css)}/text`)),
      run: async (fn, arg) => {
        const script = `const done = arguments[1]; Promise.resolve().then(() => (${fn})(arguments[0])).then((value) => done({ value }), (error) => done({ error: String(error && error.stack || error) }))`;
        const answer = await on(() =>
          this.#send('POST', '/execute/async', { script, args: [arg ?? null] }),
        );
        if (answer.error) throw new Error(answer.error);
        return answer.value;
      },
      frame: async (css) => this.#tab(handle, [...frames, css]),
      popup: async (action) => {
        const before = await this.#handles();
        await action();
        let fresh: string | undefined;
        await until(async () => {
          fresh = (await this.#handles()).find((candidate) => !before.includes(candidate));
          return fresh !== undefined;
        }, 'a window to open');
        return this.#tab(fresh as string);
      },
      sibling: () =>
        on(async () =>
          this.#tab((await this.#send('POST', '/window/new', { type: 'window' })).handle),
        ),
      close: async () => {
        await on(() => this.#send('DELETE', '/window'));
        this.#current = undefined;
      },
      isClosed: async () => !(await this.#handles().catch((): string[] => [])).includes(handle),
      screenshot: () =>
        on(async () => Buffer.from(await this.#send('GET', '/screenshot'), 'base64')),
    };
    return tab;
  }
}

/** Returns the path of MiniBrowser, which is in a library folder outside PATH. */
export function miniBrowser(): string {
  const files = execFileSync('dpkg', ['-L', 'libwebkit2gtk-4.1-0'], { encoding: 'utf8' }).split(
    '\n',
  );
  const found = process.env.MINIBROWSER ?? files.find((file) => file.endsWith('/MiniBrowser'));
  if (!found) throw new Error('MiniBrowser is missing: apt-get install webkit2gtk-driver');
  return found;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + TIMEOUT_MS; !(await isTrue()); await sleep(30)) {
    if (Date.now() > endMs) throw new Error(`Timed out after ${TIMEOUT_MS} ms waiting for ${what}`);
  }
}
