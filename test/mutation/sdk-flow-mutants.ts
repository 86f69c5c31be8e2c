import type { Mutant } from './mutant.ts';

/**
 * Mutants of the code that opens and watches the verification window, receives its messages, and redirects
 * the page. Each file is relative to src/.
 */
export const FLOW_MUTANTS: readonly Mutant[] = [
  {
    name: 'accepts a message from any window',
    file: 'flows/new-tab.ts',
    find: 'if (event.source !== popup && (event.source || !popup.closed)) return;',
    replace: '',
  },
  {
    name: 'accepts a message without a source while the window is open',
    file: 'flows/new-tab.ts',
    find: '(event.source || !popup.closed)',
    replace: 'event.source',
  },
  {
    name: 'accepts a message dispatched by a script of the page',
    file: 'flows/new-tab.ts',
    find: 'if (!event.isTrusted) return;',
    replace: '',
  },
  {
    name: 'leaves the window open after the attempt',
    file: 'flows/new-tab.ts',
    find: 'attempt._defer(() => popup.close());',
    replace: '',
  },
  {
    name: 'leaves the channel open after the attempt',
    file: 'flows/new-tab.ts',
    find: 'attempt._defer(() => channel.close());',
    replace: '',
  },
  {
    name: 'accepts a message from any origin',
    file: 'flows/new-tab.ts',
    find: 'if (event.origin === origin) {',
    replace: 'if (event.origin) {',
  },
  {
    name: 'accepts a relayed message from another origin',
    file: 'flows/new-tab.ts',
    find: '} else if (event.origin === location.origin) accept',
    replace: '} else accept',
  },
  {
    name: 'accepts a message of another session',
    file: 'flows/new-tab.ts',
    find: ' && data.sessionId === sessionId ? parse',
    replace: ' ? parse',
  },
  {
    name: 'accepts a message of another type',
    file: 'flows/new-tab.ts',
    find: 'data.type === type && data.sessionId',
    replace: 'data.sessionId',
  },
  {
    name: 'accepts any type of message on the channel',
    file: 'flows/new-tab.ts',
    find: 'channel.postMessage(0);\n          accept(data, RELAY_TYPE);',
    replace: 'channel.postMessage(0);\n          accept(data, data.type as string);',
  },
  {
    name: 'accepts a presence message in which present is not a boolean',
    file: 'flows/new-tab.ts',
    find: 'present === true',
    replace: '!!present',
  },
  {
    name: 'does not wait for a late message after the close',
    file: 'flows/window-watch.ts',
    find: 'const GRACE_MS = 1000;',
    replace: 'const GRACE_MS = 0;',
  },
  {
    name: 'waits only one second if the browser reports no focus',
    file: 'flows/window-watch.ts',
    find: 'const LONG_GRACE_MS = 5000;',
    replace: 'const LONG_GRACE_MS = 1000;',
  },
  {
    name: 'treats any earlier focus as a return to the page',
    file: 'flows/window-watch.ts',
    find: 'Math.abs(closedAtMs - returnedAtMs) < FOCUS_MS',
    replace: 'returnedAtMs > 0',
  },
  {
    name: 'ignores a blur after the shopper returns',
    file: 'flows/window-watch.ts',
    find: '    returnedAtMs = -Infinity;\n  });',
    replace: '  });',
  },
  {
    name: 'does not infer from a blur that the browser reports focus',
    file: 'flows/window-watch.ts',
    find: "  attempt._listen('blur', () => {\n    isFocusReported = true;",
    replace: "  attempt._listen('blur', () => {",
  },
  {
    name: 'does not infer from a hidden page that the browser reports focus',
    file: 'flows/window-watch.ts',
    find: 'if (document.hidden) isFocusReported = true;',
    replace: 'if (document.hidden) return;',
  },
  {
    name: 'treats a window that never worked as closed',
    file: 'flows/window-watch.ts',
    find: 'const isUnknown = isWorking && ',
    replace: 'const isUnknown = ',
  },
  {
    name: 'treats a window as working immediately',
    file: 'flows/window-watch.ts',
    find: 'const WORKING_MS = 500;',
    replace: 'const WORKING_MS = 0;',
  },
  {
    name: 'misses a close while the page loads',
    file: 'flows/window-watch.ts',
    find: 'isWorking = isRequested;',
    replace: '',
  },
  {
    name: 'treats the navigation to the hosted page as a close',
    file: 'flows/window-watch.ts',
    find: 'isWorking = isRequested;',
    replace: 'isWorking = true;',
  },
  {
    name: 'ignores presence messages from the hosted page',
    file: 'flows/window-watch.ts',
    find: '    isPageThere = isPresent;',
    replace: '',
  },
  {
    name: 'treats a page that announced its departure as one that announced nothing',
    file: 'flows/window-watch.ts',
    find: 'isWorking && isPageThere === undefined',
    replace: 'isWorking',
  },
  {
    name: 'does not detect a close by presence or focus',
    file: 'flows/window-watch.ts',
    find: 'if (isPageThere || (isUnknown && ',
    replace: 'if (!attempt && (isUnknown && ',
  },
  {
    name: 'watches the window with the wall clock',
    file: 'flows/window-watch.ts',
    find: 'const nowMs = performance.now();',
    replace: 'const nowMs = Date.now();',
  },
  {
    name: 'keeps watching the window after the attempt',
    file: 'flows/window-watch.ts',
    find: 'attempt._defer(() => clearInterval(timer));',
    replace: '',
  },
  {
    name: 'opens a window from a sandboxed page without an origin',
    file: 'flows/open-window.ts',
    find: "obstacle !== 'sandboxed' &&\n",
    replace: 'true &&\n',
  },
  {
    name: 'opens another window in a frame that cannot use the first one',
    file: 'flows/open-window.ts',
    find: ' isFrameRefused = true;\n',
    replace: ' isFrameRefused = false;\n',
  },
  {
    name: 'rejects a frame permanently after a call without a click',
    file: 'flows/open-window.ts',
    find: 'if (!obstacle && window.top',
    replace: 'if (window.top',
  },
  {
    name: 'calls a page function named open',
    file: 'flows/open-window.ts',
    find: 'own && !own.configurable ? (document as never) : window',
    replace: 'window',
  },
  {
    name: 'leaves the promise pending after Back',
    file: 'flows/redirect.ts',
    find: "if (persisted) attempt._cancel('history_back');",
    replace: '',
  },
  {
    name: 'waits forever for a navigation that does not happen',
    file: 'flows/redirect.ts',
    find: "attempt._expect(document.hidden ? NEVER_MS : ms, 'navigation_failed')",
    replace: 'void ms',
  },
  {
    name: 'applies the navigation timeout to a hidden page',
    file: 'flows/redirect.ts',
    find: 'document.hidden ? NEVER_MS : ms',
    replace: 'ms',
  },
  {
    name: 'fails the redirect if a global named navigation is not the API',
    file: 'flows/redirect.ts',
    find: '      tryTo(() => {\n        const { navigation }',
    replace: '      [0].forEach(() => {\n        const { navigation }',
  },
  {
    name: 'advises a click for obstacles that a click cannot clear',
    file: 'flows/open-window.ts',
    find: "reason === 'no_user_gesture' || reason === 'blocked'",
    replace: 'true',
  },
];
