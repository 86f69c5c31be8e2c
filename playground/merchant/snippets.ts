import type { IntegrationOptions } from './options.ts';
import { type ShopFacts, toCallSettings, toConstructorSettings } from './settings.ts';

export const SNIPPETS = [
  { id: 'script', name: 'Script tag', language: 'html' },
  { id: 'npm', name: 'npm', language: 'js' },
  { id: 'typescript', name: 'TypeScript', language: 'ts' },
  { id: 'react', name: 'React', language: 'tsx' },
  { id: 'return', name: 'Return page', language: 'html' },
  { id: 'server', name: 'Server', language: 'ts' },
] as const;

export type SnippetId = (typeof SNIPPETS)[number]['id'];

export interface SnippetFacts extends ShopFacts {
  /** The SDK's version, which integrations pin. */
  readonly version: string;
}

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

const cdnTag = (version: string) =>
  `<script src="https://cdn.ofage.example/ofage@${version}/sdk.min.js"></script>`;

function scriptTag(options: IntegrationOptions, facts: SnippetFacts): string {
  return `<button id="verify-age">Verify my age</button>

${cdnTag(facts.version)}
<script>
${indent(constructorCode('ofAge', options, facts), 1)}

  // In the click itself: browsers open a window only then.
  document.getElementById('verify-age').addEventListener('click', async () => {
    try {
${indent(callCode(options, facts, false), 3)}
    } catch (error) {
      console.warn(error.code, error.message);
    }
  });
</script>
`;
}

function esModule(options: IntegrationOptions, facts: SnippetFacts, isTyped: boolean): string {
  return `import { OfAge, isOfAgeError } from 'ofage';

${constructorCode('ofAge', options, facts)}

async function verifyAge()${isTyped ? ': Promise<void>' : ''} {
  try {
${indent(callCode(options, facts, isTyped), 2)}
  } catch (error) {
    if (!isOfAgeError(error)) throw error;
    console.warn(error.code, error.message);
  }
}

// In the click itself: browsers open a window only then.
document.querySelector('#verify-age')?.addEventListener('click', () => void verifyAge());
`;
}

function reactComponent(options: IntegrationOptions, facts: SnippetFacts): string {
  return `import { useEffect, useRef, useState } from 'react';
import { OfAge, isOfAgeError, type OfAgeErrorCode } from 'ofage';

// error.message is for you; these are words for the shopper.
const SORRY: Partial<Record<OfAgeErrorCode, string>> = {
  popup_blocked: 'Please allow the window, then try again.',
  rate_limited: 'Please wait a minute, then try again.',
  network_error: 'Please check your connection, then try again.',
  session_expired: 'The time is over. Please start again.',
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
${indent(callCode(options, facts, true, 'ofAge.current', "setText(access ? 'Welcome in' : 'No access');"), 3)}
    } catch (error) {
      // A later click took over, and has a promise of its own.
      if (isOfAgeError(error) && error.code === 'superseded') return;
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
  // The SDK rejects a policy, so the code never sets one.
  const settings = toConstructorSettings({ ...options, setsPolicy: false }, facts);
  const lines = Object.entries(settings).map(([key, value]) => `  ${key}: ${quote(value)},`);
  if (options.onComplete) {
    lines.push("  onComplete: (result) => console.log('onComplete', result.status),");
  }
  if (options.stayOnCancel)
    lines.push('  onCancel: () => false, // stay, although cancelUrl is set');
  else if (options.onCancel) lines.push("  onCancel: () => console.log('onCancel'),");
  if (options.onError) lines.push("  onError: (error) => console.warn('onError', error.code),");
  return [`const ${name} = new OfAge({`, ...lines, '});'].join('\n');
}

/** Returns the code that calls verify() and handles its result. In redirect mode the page navigates away. */
function callCode(
  options: IntegrationOptions,
  facts: SnippetFacts,
  isTyped: boolean,
  subject = 'ofAge',
  done = "document.body.dataset['access'] = String(access);",
): string {
  const settings = Object.entries(toCallSettings(options, facts));
  const call = `${subject}.verify(${settings.length === 0 ? '' : objectCode(settings)})`;
  if (options.mode === 'redirect') {
    return `// The page leaves; what follows runs when the shopper comes back with the Back button.
const result = await ${call};
console.info(result.status);`;
  }
  const answer = '(await response.json())';
  return `const result = await ${call};
if (result.status === 'cancelled') return;
// What the browser says is a hint. Only the server's answer opens anything.
const response = await fetch('/age-check', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ sessionId: result.sessionId }),
});
const { access } = ${isTyped ? `${answer} as { access: boolean }` : 'await response.json()'};
${done}`;
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

const serverStartPage = (
  options: IntegrationOptions,
) => `<button id="verify-age">Verify my age</button>

<script>
  // The server creates the session with its secret key; see "Server".
  document.getElementById('verify-age').addEventListener('click', async () => {
${indent(serverStartCode(options, false), 2)}
  });
</script>
`;

const serverStart = (options: IntegrationOptions, isTyped: boolean) =>
  `// The server creates the session with its secret key; see "Server".
async function verifyAge()${isTyped ? ': Promise<void>' : ''} {
${indent(serverStartCode(options, isTyped), 1)}
}

document.querySelector('#verify-age')?.addEventListener('click', () => void verifyAge());
`;

const reactServerStart = (
  options: IntegrationOptions,
) => `// The server creates the session with its secret key; see "Server".
export function VerifyAge() {
  async function verifyAge(): Promise<void> {
${indent(serverStartCode(options, true), 2)}
  }

  return <button onClick={() => void verifyAge()}>Verify my age</button>;
}
`;

const returnPage = ({ version }: SnippetFacts) => `<p id="result">One moment, please.</p>

${cdnTag(version)}
<script>
  // A shop that waits in another window takes over here, and this window closes.
  const returned = OfAge.handleReturn();
  if (returned) void show(returned.sessionId);

  // Anybody can type ?status=verified: only the session id is used, and the server asks about it.
  async function show(sessionId) {
    const response = await fetch('/age-check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId }),
    });
    const { access } = await response.json();
    document.getElementById('result').textContent = access ? 'Welcome in' : 'No access';
  }
</script>
`;

function server(options: IntegrationOptions, facts: SnippetFacts): string {
  const { cancelUrl, returnUrl } = toConstructorSettings(options, facts);
  const start = `
/** Answers POST /age-check/start. */
export async function startAgeCheck(customerId: string): Promise<Response> {
  const { verifyUrl } = await ofage.createSession({
    returnUrl: ${quote(returnUrl)},${cancelUrl === undefined ? '' : `\n    cancelUrl: ${quote(cancelUrl)},`}
    externalUserId: customerId,
  });
  return Response.json({ verifyUrl });
}
`;
  return `import { createClient, grantsAccess } from 'ofage/server';

const ofage = createClient({ secretKey: process.env['OFAGE_SECRET_KEY'] ?? '' });
${options.mode === 'server' ? start : ''}
/**
 * Answers POST /age-check. The customer is who is signed in, never who the page says.
 * A session validates once: keep the answer, or the reload of a page cannot be served.
 */
export async function ageCheck(request: Request, customerId: string): Promise<Response> {
  const { sessionId } = (await request.json()) as { sessionId: string };
  const result = await ofage.validateSession(sessionId);
  return Response.json({ access: grantsAccess(result, { externalUserId: customerId }) });
}
`;
}

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

const indent = (code: string, levels: number) => code.replaceAll(/^(?=.)/gm, '  '.repeat(levels));
