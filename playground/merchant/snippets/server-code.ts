import type { IntegrationOptions } from '../options.ts';
import { indent, quote } from './code-text.ts';
import { type SnippetFacts, sdkTag, toTargetSettings } from './target.ts';

export function serverStartPage(options: IntegrationOptions): string {
  return `<button id="verify-age">Verify my age</button>

<script>
  // The server creates the session with its secret key. See "Server".
  document.getElementById('verify-age').addEventListener('click', async () => {
${indent(serverStartCode(options, false), 2)}
  });
</script>
`;
}

export function serverStart(options: IntegrationOptions, isTyped: boolean): string {
  return `// The server creates the session with its secret key. See "Server".
async function verifyAge()${isTyped ? ': Promise<void>' : ''} {
${indent(serverStartCode(options, isTyped), 1)}
}

document.querySelector('#verify-age')?.addEventListener('click', () => void verifyAge());
`;
}

export function reactServerStart(options: IntegrationOptions): string {
  return `// The server creates the session with its secret key. See "Server".
export function VerifyAge() {
  async function verifyAge(): Promise<void> {
${indent(serverStartCode(options, true), 2)}
  }

  return <button onClick={() => void verifyAge()}>Verify my age</button>;
}
`;
}

export function returnPage(facts: SnippetFacts): string {
  return `<p id="result">One moment, please.</p>

${sdkTag(facts)}
<script>
  // If the shop waits in another window, this notifies it and closes this window.
  const returned = OfAge.handleReturn();
  if (returned) void show(returned.sessionId);

  // Anyone can type ?status=verified, so only the session id is used. The server validates it.
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
}

export function server(options: IntegrationOptions, facts: SnippetFacts): string {
  return `import { createClient, deniesAccess, grantsAccess, type ValidationResult } from 'ofage/server';

const ofage = createClient({
  secretKey: () => process.env['OFAGE_SECRET_KEY'] ?? '',
  baseUrl: process.env['OFAGE_API_BASE'], // ${facts.target === 'mock' ? `the mock: ${facts.mock.apiBase}` : 'unset in production'}
});
${options.mode === 'server' ? startCode(options, facts) : ''}
/** The results by session id. Use a table of your database instead. */
const results = new Map<string, ValidationResult>();

/** Handles POST /age-check. customerId is the signed-in customer, never a value from the page. */
export async function ageCheck(request: Request, customerId: string): Promise<Response> {
  const { sessionId } = (await request.json()) as { sessionId: string };
  try {
    // A session can be validated only once, so look at the stored results first.
    const result = results.get(sessionId) ?? (await ofage.validateSession(sessionId));
    if (result.status !== 'pending') results.set(sessionId, result);
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
