import {
  type ConstructorSettings,
  type IntegrationOptions,
  toCallSettings,
  toConstructorSettings,
} from '../options.ts';
import type { ShopFacts } from '../../shop/integration.ts';
import { SDK_INTEGRITY, SDK_VERSION } from './published-sdk.ts';

export const SNIPPETS = [
  { id: 'script', name: 'Script tag', language: 'html' },
  { id: 'npm', name: 'npm', language: 'js' },
  { id: 'typescript', name: 'TypeScript', language: 'ts' },
  { id: 'react', name: 'React', language: 'tsx' },
  { id: 'return', name: 'Return page', language: 'html' },
  { id: 'server', name: 'Server', language: 'ts' },
] as const;

export type SnippetId = (typeof SNIPPETS)[number]['id'];

/** Returns the integration code that corresponds to the options. */
export function toSnippet(id: SnippetId, options: IntegrationOptions, facts: SnippetFacts): string {
  const isServer = options.mode === 'server';
  switch (id) {
    case 'script':
      return isServer ? serverStartPage(options) : scriptTag(options, facts);
    case 'npm':
      return isServer ? serverStart(options, false) : esModule(options, facts, false);
    case 'typescript':
      return isServer ? serverStart(options, true) : esModule(options, facts, true);
    case 'react':
      return isServer ? reactServerStart(options) : reactComponent(options, facts);
    case 'return':
      return returnPage(facts);
    case 'server':
      return server(options, facts);
  }
}

/** The service that the code runs against: the mock that serves this page, or production. */
export type Target = 'mock' | 'production';

export interface SnippetFacts {
  readonly target: Target;
  /** The mock's addresses, and its account's publishable key. */
  readonly mock: {
    readonly sdkUrl: string;
    readonly apiBase: string;
    readonly publishableKey: string;
  };
}

/** The values of the developer's own shop in the generated code, where the demo shop has others. */
export const YOURS = {
  returnUrl: '/age-check/return',
  cancelAddress: '/basket',
  customerId: 'customer-42',
} as const;

const ORIGINS: Readonly<Record<Target, string>> = {
  mock: 'http://localhost:3000',
  production: 'https://shop.example',
};

const toShopFacts = ({ target, mock }: SnippetFacts): ShopFacts => ({
  returnUrl: ORIGINS[target] + YOURS.returnUrl,
  cancelUrl: ORIGINS[target] + YOURS.cancelAddress,
  customerId: YOURS.customerId,
  publishableKey: target === 'mock' ? mock.publishableKey : 'pk_your_publishable_key',
});

/** Returns the constructor options for the target. They contain no policy, because the SDK rejects one. */
const toTargetSettings = (options: IntegrationOptions, facts: SnippetFacts): ConstructorSettings =>
  toConstructorSettings({ ...options, setsPolicy: false }, toShopFacts(facts));

/**
 * Returns the constructor options for code in a page, as literals or expressions. For the mock, addresses of
 * the page follow its origin, so that the code runs on any port.
 */
function toPageSettings(
  options: IntegrationOptions,
  facts: SnippetFacts,
): (readonly [name: string, code: string])[] {
  const settings = toTargetSettings(options, facts);
  const isOwn = {
    returnUrl: options.returnUrl === null,
    cancelUrl: options.cancelAddress === null,
  };
  return Object.entries(settings).map(([name, value]) => {
    const followsPage = facts.target === 'mock' && (isOwn as Record<string, boolean>)[name];
    if (!followsPage) return [name, quote(value)];
    return [name, `location.origin + ${quote(new URL(String(value)).pathname)}`];
  });
}

/**
 * Returns the tag that loads the SDK. The mock serves a different file than the CDN, so its tag has no
 * hash.
 */
function sdkTag({ target, mock }: SnippetFacts): string {
  if (target === 'mock') return `<script src="${mock.sdkUrl}"></script>`;
  return `<script
  src="https://cdn.ofage.example/ofage@${SDK_VERSION}/sdk.min.js"
  integrity="${SDK_INTEGRITY}"
  crossorigin="anonymous"
></script>`;
}

/** Returns the code that makes the names `OfAge` and those in `more` available to a module. */
function importCode({ target, mock }: SnippetFacts, more: string): string {
  if (target === 'production') return `import { OfAge, ${more} } from 'ofage';`;
  return `import { ${more} } from 'ofage';
import { createTestOfAge } from 'ofage-mock/testing';

// The SDK itself has no option for the address. This one is bound to the mock.
const OfAge = createTestOfAge(${quote(mock.apiBase)});`;
}

function scriptTag(options: IntegrationOptions, facts: SnippetFacts): string {
  const done = "show(access ? 'Welcome in' : 'No access');";
  return `<button id="verify-age">Verify my age</button>
<p id="result" role="status"></p>

${sdkTag(facts)}
<script>
${indent(constructorCode('ofAge', options, facts), 1)}
  const show = (text) => (document.getElementById('result').textContent = text);

${indent(clickNote(options), 1)}  document.getElementById('verify-age').addEventListener('click', async () => {
    try {
${indent(callCode(options, facts, { isTyped: false, done, hint: 'show(`The browser says: ${result.status}`);' }), 3)}
    } catch (error) {
      // A later click has started a new verification, which has its own promise.
      if (error.code === 'superseded') return;
      console.warn(error); // for developers: the code and the message
      show('That did not work. Please try again.');
    }
  });
</script>
`;
}

/** Says why a check that opens a window starts in the click handler. A redirect opens none. */
const clickNote = ({ mode }: IntegrationOptions): string =>
  mode === 'redirect'
    ? ''
    : '// Calls verify() in the click handler, because browsers open a window only then.\n';

function esModule(options: IntegrationOptions, facts: SnippetFacts, isTyped: boolean): string {
  const done = "document.body.dataset['access'] = String(access);";
  return `${importCode(facts, 'isOfAgeError')}

${constructorCode('ofAge', options, facts)}

async function verifyAge()${isTyped ? ': Promise<void>' : ''} {
  try {
${indent(callCode(options, facts, { isTyped, done }), 2)}
  } catch (error) {
    if (!isOfAgeError(error)) throw error;
    console.warn(error.code, error.message);
  }
}

${clickNote(options)}document.querySelector('#verify-age')?.addEventListener('click', () => void verifyAge());
`;
}

function reactComponent(options: IntegrationOptions, facts: SnippetFacts): string {
  const call = callCode(options, facts, {
    isTyped: true,
    subject: 'ofAge.current',
    done: "setText(access ? 'Welcome in' : 'No access');",
  });
  return `import { useEffect, useRef, useState } from 'react';
${importCode(facts, 'isOfAgeError, type OfAgeErrorCode')}

// error.message is for developers. These texts are for the shopper.
const SORRY: Partial<Record<OfAgeErrorCode, string>> = {
  popup_blocked: 'Please allow the window, then try again.',
  rate_limited: 'Please wait a minute, then try again.',
  network_error: 'Please check your connection, then try again.',
  session_expired: 'The check has expired. Please start again.',
};

export function VerifyAge() {
  const ofAge = useRef<InstanceType<typeof OfAge> | null>(null);
  const [text, setText] = useState('');

  useEffect(() => {
${indent(constructorCode('current', options, facts), 2)}
    ofAge.current = current;
    return () => current.destroy();
  }, []);

  async function verifyAge(): Promise<void> {
    if (!ofAge.current) return;
    try {
${indent(call, 3)}
    } catch (error) {
      // A later click has started a new verification, which has its own promise.
      if (isOfAgeError(error) && error.code === 'superseded') return;
      console.warn(error); // for developers: the code and the message
      setText((isOfAgeError(error) && SORRY[error.code]) || 'That did not work. Please try again.');
    }
  }

  return (
    <p>
      <button onClick={() => void verifyAge()}>Verify my age</button>
      <output>{text}</output>
    </p>
  );
}
`;
}

function constructorCode(name: string, options: IntegrationOptions, facts: SnippetFacts): string {
  const settings = toPageSettings(options, facts);
  const lines = settings.map(
    ([key, code]) => `  ${key}: ${code},${COMMENTS[`${key} ${options.mode}`] ?? ''}`,
  );
  if (options.onComplete) {
    lines.push("  onComplete: (result) => console.log('onComplete', result.status),");
  }
  if (options.stayOnCancel)
    lines.push('  onCancel: () => false, // stay, although cancelUrl is set');
  else if (options.onCancel) lines.push("  onCancel: () => console.log('onCancel'),");
  if (options.onError) lines.push("  onError: (error) => console.warn('onError', error.code),");
  return [`const ${name} = new OfAge({`, ...lines, '});'].join('\n');
}

/** Comments for `mode`, whose value `new-tab` is the SDK's name for both a popup and a tab. */
const COMMENTS: Readonly<Record<string, string>> = {
  'mode popup': " // opens a popup window; with newTabTarget: 'tab', a tab",
  'mode tab': " // opens a tab; without newTabTarget: 'tab', a popup window",
};

interface CallCode {
  readonly isTyped: boolean;
  /** The code that runs once `access`, the server's decision, is known. */
  readonly done: string;
  /** The code that shows the SDK's result before the server has answered. */
  readonly hint?: string;
  /** The variable of the SDK's instance. @default ofAge */
  readonly subject?: string;
}

/** Returns the code that calls verify() and handles its result. In redirect mode the page navigates away. */
function callCode(options: IntegrationOptions, facts: SnippetFacts, call: CallCode): string {
  const { isTyped, done, hint, subject = 'ofAge' } = call;
  const settings = Object.entries(toCallSettings(options, toShopFacts(facts)));
  const verify = `${subject}.verify(${settings.length === 0 ? '' : objectCode(settings)})`;
  if (options.mode === 'redirect') {
    return `// The browser leaves this page. The rest runs when the shopper returns with the Back button.
const result = await ${verify};
console.info(result.status);`;
  }
  const answer = '(await response.json())';
  return `const result = await ${verify};
if (result.status === 'cancelled') return;
// The browser's result is only a hint. The server decides about the access.
${hint === undefined ? '' : `${hint}\n`}const response = await fetch('/age-check', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ sessionId: result.sessionId }),
});
if (!response.ok) throw new Error(\`POST /age-check answered \${response.status}\`);
const { access } = ${isTyped ? `${answer} as { access: boolean }` : 'await response.json()'};
${done}`;
}

function serverStartPage(options: IntegrationOptions): string {
  return `<button id="verify-age">Verify my age</button>

<script>
  // The server creates the session with its secret key. See "Server".
  document.getElementById('verify-age').addEventListener('click', async () => {
${indent(serverStartCode(options, false), 2)}
  });
</script>
`;
}

function serverStart(options: IntegrationOptions, isTyped: boolean): string {
  return `// The server creates the session with its secret key. See "Server".
async function verifyAge()${isTyped ? ': Promise<void>' : ''} {
${indent(serverStartCode(options, isTyped), 1)}
}

document.querySelector('#verify-age')?.addEventListener('click', () => void verifyAge());
`;
}

function reactServerStart(options: IntegrationOptions): string {
  return `// The server creates the session with its secret key. See "Server".
export function VerifyAge() {
  async function verifyAge(): Promise<void> {
${indent(serverStartCode(options, true), 2)}
  }

  return <button onClick={() => void verifyAge()}>Verify my age</button>;
}
`;
}

function returnPage(facts: SnippetFacts): string {
  return `<p id="result">One moment, please.</p>

${sdkTag(facts)}
<script>
  // If the shop waits in another window, this notifies it and closes this window.
  const returned = OfAge.handleReturn(location.href);
  if (returned) void show(returned.sessionId);

  // Anyone can type ?status=verified, so only the session id is used. The server validates it.
  async function show(sessionId) {
    const response = await fetch('/age-check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId }),
    });
    if (!response.ok) throw new Error(\`POST /age-check answered \${response.status}\`);
    const { access } = await response.json();
    document.getElementById('result').textContent = access ? 'Welcome in' : 'No access';
  }
</script>
`;
}

function server(options: IntegrationOptions, facts: SnippetFacts): string {
  return `import { createClient, deniesAccess, grantsAccess } from 'ofage/server';

// With several processes, also pass a resultStore that all share.
const ofage = createClient({
  secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '',
  baseUrl: process.env['OFAGE_API_BASE'], // ${facts.target === 'mock' ? `the mock: ${facts.mock.apiBase}` : 'unset in production'}
});
${options.mode === 'server' ? startCode(options, facts) : ''}
/** Handles POST /age-check. customerId is the signed-in customer, never a value from the page. */
export async function ageCheck(request: Request, customerId: string): Promise<Response> {
  const { sessionId } = (await request.json()) as { sessionId: string };
  try {
    const result = await ofage.validateOnce(sessionId); // asks the provider once per session
    return Response.json({ access: grantsAccess(result, { externalUserId: customerId }) });
  } catch (error) {
    if (!deniesAccess(error)) throw error;
    return Response.json({ access: false }); // the session has expired, or does not exist
  }
}
`;
}

function startCode(options: IntegrationOptions, facts: SnippetFacts): string {
  const { cancelUrl, returnUrl } = toTargetSettings(options, facts);
  return `
/** Handles POST /age-check/start. */
export async function startAgeCheck(customerId: string): Promise<Response> {
  const { verifyUrl } = await ofage.createSession({
    returnUrl: ${quote(returnUrl)},${cancelUrl === undefined ? '' : `\n    cancelUrl: ${quote(cancelUrl)},`}
    externalUserId: customerId,
  });
  return Response.json({ verifyUrl });
}
`;
}

/** Returns the query parameters to add to the verifyUrl in the server-side pattern. */
function hostedParams({ language, callLanguage, skipIntro, autoReturn }: IntegrationOptions) {
  const lang = callLanguage ?? language;
  return Object.entries({
    ...(lang && { lang }),
    ...(skipIntro && { skip_intro: 'true' }),
    ...(autoReturn && { auto_return: 'true' }),
  });
}

function serverStartCode(options: IntegrationOptions, isTyped: boolean): string {
  const params = hostedParams(options);
  const answer = isTyped
    ? '(await response.json()) as { verifyUrl: string }'
    : 'await response.json()';
  const go =
    params.length === 0
      ? ['location.assign(verifyUrl);']
      : [
          'const url = new URL(verifyUrl);',
          ...params.map(([name, value]) => `url.searchParams.set('${name}', ${quote(value)});`),
          'location.assign(url);',
        ];
  return [
    "const response = await fetch('/age-check/start', { method: 'POST' });",
    `const { verifyUrl } = ${answer};`,
    ...go,
  ].join('\n');
}

/** Formats fields as an object literal, on one line if it is short. */
function objectCode(entries: readonly (readonly [string, unknown])[]): string {
  const pairs = entries.map(([name, value]) => `${name}: ${quote(value)}`);
  const line = `{ ${pairs.join(', ')} }`;
  return line.length <= 60 ? line : `{\n${pairs.map((pair) => `  ${pair},\n`).join('')}}`;
}

/** Formats a value as a literal. Escapes `</script`, which would end the script that contains the code. */
function quote(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const inner = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll('</', '<\\/')
    .replaceAll('<!--', '<\\!--')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
  return `'${inner}'`;
}

const indent = (code: string, levels: number): string =>
  code.replaceAll(/^(?=.)/gm, '  '.repeat(levels));
