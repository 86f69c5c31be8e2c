import type { IntegrationOptions } from '../options.ts';
import { toCallSettings } from '../settings.ts';
import { indent, objectCode } from './code-text.ts';
import { type SnippetFacts, importCode, sdkTag, toPageSettings, toShopFacts } from './target.ts';

export function scriptTag(options: IntegrationOptions, facts: SnippetFacts): string {
  const done = "show(access ? 'Welcome in' : 'No access');";
  return `<button id="verify-age">Verify my age</button>
<p id="result" role="status"></p>

${sdkTag(facts)}
<script>
${indent(constructorCode('ofAge', options, facts), 1)}
  const show = (text) => (document.getElementById('result').textContent = text);

  // Calls verify() in the click handler, because browsers open a window only then.
  document.getElementById('verify-age').addEventListener('click', async () => {
    try {
${indent(callCode(options, facts, { isTyped: false, done, hint: 'show(`The browser says: ${result.status}`);' }), 3)}
    } catch (error) {
      // A later click has started a new verification, which has its own promise.
      if (error.code === 'superseded') return;
      console.warn(error.message); // for developers
      show('That did not work. Please try again.');
    }
  });
</script>
`;
}

export function esModule(
  options: IntegrationOptions,
  facts: SnippetFacts,
  isTyped: boolean,
): string {
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

// Calls verify() in the click handler, because browsers open a window only then.
document.querySelector('#verify-age')?.addEventListener('click', () => void verifyAge());
`;
}

export function reactComponent(options: IntegrationOptions, facts: SnippetFacts): string {
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
