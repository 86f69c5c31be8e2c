/** The states of the hosted page for axe and for screenshots. Each uses a new account. */
import type { ScenarioName } from 'ofage-mock';
import type { Page } from '@playwright/test';
import { createSession, type Opened, type Setup } from './hosted-session.ts';
import { takePicture, takePictures, type Check } from './hosted-page.ts';
import type { Provider } from './provider.ts';

export interface HostedState {
  readonly name: string;
  /**
   * Brings the page to the state.
   * @param query More parameters for the page's address, for example `lang=de`
   */
  reach(page: Page, provider: Provider, query?: string): Promise<void>;
}

const L2: Check = { verificationMode: 'L2', faceMatchEnabled: true };
const l2 = { tenant: { policy: L2 } };

type Way = (page: Page, opened: Opened, provider: Provider) => Promise<void>;

const view = (page: Page, name: string): Promise<void> =>
  page.locator(`main[data-view=${name}]`).waitFor();

/** Returns a state that follows the intro. */
function afterIntro(name: string, setup: Setup, way: Way = async () => {}): HostedState {
  return {
    name,
    async reach(page, provider, query = '') {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      const opened = await createSession(provider, setup);
      await page.goto(`${opened.verifyUrl}&${query}`);
      await view(page, 'intro');
      await way(page, opened, provider);
    },
  };
}

/** Returns a state in which the page opens with the view `shown`. */
function withoutIntro(
  name: string,
  setup: Setup,
  shown: string,
  before: (page: Page, opened: Opened, provider: Provider) => Promise<unknown> = async () => {},
  address: (opened: Opened) => string = ({ verifyUrl }) => verifyUrl,
): HostedState {
  return {
    name,
    async reach(page, provider, query = '') {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      const opened = await createSession(provider, setup);
      await before(page, opened, provider);
      await page.goto(`${address(opened)}&${query}`);
      await view(page, shown);
    },
  };
}

const start = (page: Page): Promise<void> => page.getByTestId('start').click();

const camera = (page: Page, state: string): Promise<void> =>
  page.locator(`[data-testid=camera][data-camera=${state}]`).waitFor();

/**
 * Starts the check with a camera whose access request fails with this error, or stays pending if it is
 * null.
 */
const startWithCamera =
  (error: string | null): Way =>
  async (page) => {
    await page.evaluate((name) => {
      const answer = () =>
        name === null
          ? new Promise(() => {})
          : Promise.reject(new DOMException('Simulated camera error', name));
      Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: answer });
    }, error);
    await start(page);
    await camera(page, error === null ? 'asking' : 'problem');
  };

/** Keeps the result on screen by dropping the timer that would leave the page. */
export async function stay(page: Page, end: () => Promise<void>): Promise<void> {
  await page.evaluate(() => {
    const real = window.setTimeout;
    // Timers of up to a second run, such as the pause before a result. Any other timer leaves the page.
    const isLeaving = (ms = 0): boolean => ms === 0 || ms > 1_000;
    const held = (run: () => void, ms?: number, ...args: unknown[]): number =>
      isLeaving(ms) ? 0 : real(run, ms, ...args);
    Object.assign(window, { setTimeout: held, letGo: () => (window.setTimeout = real) });
  });
  await end();
  await view(page, 'result');
  await page.evaluate(() => Object(window).letGo());
}

const endsAs =
  (scenario: string, check?: Check): Way =>
  (page) =>
    stay(page, async () => {
      await start(page);
      await takePictures(page, scenario, check);
    });

const preset = (scenario: string): Setup => ({
  session: { externalUserId: `ofage_test:${scenario}` },
});

const settled =
  (scenario: ScenarioName) =>
  (_page: Page, { sessionId }: Opened, provider: Provider): Promise<unknown> =>
    provider.client.settle(sessionId, scenario);

/** Sends an action of the hosted page as the device that has this token. */
async function askAs(provider: Provider, token: string, action: string): Promise<void> {
  const response = await fetch(`${new URL(provider.apiBase).origin}/hosted/v1/${action}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(`${action} responded with ${response.status}`);
}

const onSecond = ({ verifyUrl, sessionToken, handoffToken }: Opened): string =>
  verifyUrl.replace(`sessionToken=${sessionToken}`, `handoffToken=${handoffToken}`);

const blocked = (code: string, message: string): HostedState =>
  withoutIntro(
    `billing-${code.toLowerCase().replaceAll('_', '-')}`,
    {
      tenant: { billingBlock: { code, message } },
    },
    'notice',
  );

export const hostedStates: readonly HostedState[] = [
  withoutIntro('loading', {}, 'loading', (page) => page.route('**/hosted/v1/session', () => {})),
  afterIntro('intro-l1', {}),
  afterIntro('intro-l2', l2),
  afterIntro('intro-production', { tenant: { sandboxMode: false } }),
  afterIntro('intro-preset', preset('verified_after_id')),
  afterIntro('camera-asking', {}, startWithCamera(null)),
  afterIntro('camera-denied', {}, startWithCamera('NotAllowedError')),
  afterIntro('camera-missing', {}, startWithCamera('NotFoundError')),
  afterIntro('camera-busy', {}, startWithCamera('NotReadableError')),
  afterIntro('camera-failed', {}, async (page) => {
    await start(page);
    await camera(page, 'live');
    await page.locator('video').evaluate((video: HTMLVideoElement) => {
      const [track] = (video.srcObject as MediaStream).getTracks();
      track?.dispatchEvent(new Event('ended'));
    });
    await camera(page, 'problem');
  }),
  withoutIntro(
    'camera-insecure',
    {},
    'capture',
    (page) =>
      page.addInitScript(() => {
        if (!location.search.includes('as_insecure')) return;
        Object.defineProperty(navigator, 'mediaDevices', { value: undefined });
      }),
    ({ verifyUrl }) => `${verifyUrl}&skip_intro=true&as_insecure=true`,
  ),
  afterIntro('capture-face', {}, async (page) => {
    await start(page);
    await camera(page, 'live');
  }),
  afterIntro('capture-simulated', l2, async (page, opened, provider) => {
    await startWithCamera('NotFoundError')(page, opened, provider);
    await page.getByTestId('capture').click();
    await camera(page, 'simulated');
  }),
  afterIntro('capture-front', l2, async (page) => {
    await start(page);
    await camera(page, 'live');
  }),
  afterIntro('capture-passport', l2, async (page) => {
    await start(page);
    await page.getByTestId('document-passport').check();
    await camera(page, 'live');
  }),
  afterIntro('capture-back', l2, async (page) => {
    await start(page);
    await takePicture(page, 'front');
    await page.locator('main[data-step=back]').waitFor();
    await camera(page, 'live');
  }),
  afterIntro('capture-selfie', l2, async (page) => {
    await start(page);
    await takePicture(page, 'front');
    await takePicture(page, 'back');
    await page.locator('main[data-step=selfie]').waitFor();
    await camera(page, 'live');
  }),
  afterIntro('capture-below-threshold', preset('verified_after_id'), async (page) => {
    await start(page);
    await takePicture(page, 'face');
    await page.locator('main[data-step=front]').waitFor();
    await camera(page, 'live');
  }),
  afterIntro('processing', preset('never'), async (page) => {
    await start(page);
    await takePicture(page, 'face');
    await view(page, 'processing');
  }),
  afterIntro('retake', {}, async (page) => {
    await start(page);
    await page.getByTestId('blurred').check();
    await takePicture(page, 'face');
    await view(page, 'retake');
  }),
  afterIntro('retake-last', {}, async (page) => {
    await start(page);
    for (let picture = 0; picture < 2; picture += 1) {
      if (picture > 0) await page.getByTestId('retake').click();
      await page.getByTestId('blurred').check();
      await takePicture(page, 'face');
      await view(page, 'retake');
    }
  }),
  afterIntro('resume', l2, async (page) => {
    await start(page);
    await takePicture(page, 'front');
    await page.locator('main[data-step=back]').waitFor();
    await page.reload();
    await view(page, 'resume');
  }),
  afterIntro('handoff', {}, async (page) => {
    await page.getByTestId('handoff').click();
    await page.locator('[data-testid=qr] path').waitFor();
  }),
  afterIntro('following', {}, async (page, { handoffToken }, provider) => {
    await askAs(provider, handoffToken, 'continue');
    await view(page, 'following');
  }),
  withoutIntro('second-intro', {}, 'intro', undefined, onSecond),
  withoutIntro(
    'second-used',
    {},
    'notice',
    (page, opened, provider) => settled('verified')(page, opened, provider),
    onSecond,
  ),
  afterIntro('help', {}, async (page) => {
    await page.getByTestId('help').click();
    await page.getByTestId('help-dialog').waitFor();
  }),
  afterIntro('offline', {}, async (page) => {
    await page.route('**/hosted/v1/**', (route) => route.abort());
    await page.locator('.offline').waitFor();
  }),
  afterIntro('result-verified', preset('verified'), endsAs('verified')),
  afterIntro('result-age-not-met', preset('failed_age_not_met'), endsAs('failed_age_not_met')),
  afterIntro(
    'result-image-quality',
    preset('failed_image_quality'),
    endsAs('failed_image_quality'),
  ),
  afterIntro(
    'result-document-rejected',
    { ...l2, ...preset('failed_document_rejected') },
    endsAs('failed_document_rejected', L2),
  ),
  afterIntro(
    'result-face-mismatch',
    { ...l2, ...preset('failed_face_mismatch') },
    endsAs('failed_face_mismatch', L2),
  ),
  afterIntro('result-cancelled', {}, (page) =>
    stay(page, () => page.getByTestId('cancel').click()),
  ),
  {
    name: 'result-on-second',
    async reach(page, provider, query = '') {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      const opened = await createSession(provider);
      await page.goto(`${onSecond(opened)}&${query}`);
      await view(page, 'intro');
      await start(page);
      await takePicture(page, 'face');
      await view(page, 'result');
    },
  },
  withoutIntro('expired', {}, 'notice', settled('timeout')),
  withoutIntro('used', {}, 'notice', settled('verified')),
  blocked('SUBSCRIPTION_REQUIRED', 'Choose a plan to go live'),
  blocked('PLAN_LIMIT_REACHED', 'This month’s checks are used up'),
  blocked('SANDBOX_LIMIT_REACHED', 'The sandbox allows 50 checks a day'),
  withoutIntro('invalid', {}, 'notice', undefined, ({ verifyUrl }) => verifyUrl.slice(0, -4)),
  withoutIntro('unavailable', {}, 'notice', (page) =>
    page.route('**/hosted/v1/session', (route) => route.abort()),
  ),
  // Moves the clock of the whole service, so this state must be the last one.
  afterIntro('last-minute', {}, async (page, _opened, provider) => {
    await provider.client.clock.advance(570_000);
    await page.locator('.timer.tone--bad').waitFor();
  }),
];
