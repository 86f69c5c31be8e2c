// Builds the pages, in one of two ways: for the mock server, which also serves the SDK and the shop's
// backend (mock-server/dist/pages), or as a static site that contains the whole service (--mode static).
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { msw } from 'msw/vite';
import { type HtmlTagDescriptor, type Plugin, type UserConfig, defineConfig } from 'vite';
import { notePackages } from '../scripts/third-party-notices.mjs';
import { toSlashes } from '../scripts/platform.mjs';
import { fontsLast, packedService, PAGES_WITHOUT_SERVICE, smallWorker } from './static-build.ts';
import { earlyTheme } from './theme-build.ts';

/** The pages that load the SDK, as a customer's pages would. */
const PAGES_WITH_SDK = /^(index|(return|code)\/index|labs\/.*)\.html$/;

/** MSW's ways to intercept requests without a service worker. */
const UNUSED_INTERCEPTORS = /^@mswjs\/interceptors\/(fetch|XMLHttpRequest|WebSocket)$/;

const path = (fromHere: string) => fileURLToPath(new URL(fromHere, import.meta.url));

/** Settings of the pages, and of the service in the static site. */
const shared = {
  root: path('.'),
  // A relative base, so that the pages work below any path.
  base: './',
  publicDir: false,
  // These options are set here, because the transform ignores a tsconfig with `paths`.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: [
      { find: /^ofage$/, replacement: path('../src/index.ts') },
      { find: /^ofage\/server$/, replacement: path('../src/server/index.ts') },
      { find: /^ofage-mock$/, replacement: path('../mock-server/index.ts') },
      { find: /^ofage-mock\/client$/, replacement: path('../mock-server/client.ts') },
      // Used only by MSW.
      { find: /^tough-cookie$/, replacement: path('./shared/no-cookies.ts') },
      { find: UNUSED_INTERCEPTORS, replacement: path('./shared/no-interceptors.ts') },
    ],
  },
} satisfies UserConfig;

export default defineConfig(({ mode }) => {
  const isStatic = mode === 'static';
  return {
    ...shared,
    plugins: [
      pageShell(),
      sdkScript(isStatic),
      ...(isStatic ? [staticReports()] : []),
      packedService(isStatic ? shared : null),
      stylesFirst(),
      earlyTheme(),
      ...(isStatic ? [msw({ mode: 'worker-only' }), smallWorker(), fontsLast()] : []),
      notePackages(isStatic ? 'static' : 'pages'),
    ],
    build: {
      outDir: path(isStatic ? '../dist-static' : '../mock-server/dist/pages'),
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: {
          shop: path('index.html'),
          return: path('return/index.html'),
          code: path('code/index.html'),
          verify: path('verify/index.html'),
          console: path('console/index.html'),
          labs: path('labs/index.html'),
          labsCoop: path('labs/coop/index.html'),
          labsFrame: path('labs/frame/index.html'),
        },
      },
    },
  };
});

/**
 * Adds the tags that pages share: viewport, icon, colour and a note for browsers without scripts. A page
 * with a main.tsx beside it also gets that script and the element that it renders into.
 */
function pageShell(): Plugin {
  return {
    name: 'ofage-page-shell',
    transformIndexHtml: {
      order: 'pre',
      handler(html, { filename }) {
        const [, root = './'] = /data-root="([^"]*)"/.exec(html) ?? [];
        const theme = /data-theme="([^"]*)"/.exec(html)?.[1] ?? 'console';
        const icon = theme === 'shop' ? 'kontor' : 'ofage';
        const hasMain = existsSync(join(dirname(filename), 'main.tsx'));
        return [
          tag('meta', { charset: 'utf-8' }),
          tag('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
          tag('link', { rel: 'icon', href: `${root}shared/${icon}.svg` }),
          ...(theme === 'hosted' ? [] : [tag('meta', BAR_COLOUR)]),
          ...(hasMain || html.includes('.tsx') ? appElements(NAMES[theme]) : []),
          { ...tag('noscript', {}, 'body'), children: 'This page needs JavaScript.' },
          ...(hasMain ? [tag('script', { type: 'module', src: './main.tsx' }, 'body')] : []),
        ];
      },
    },
  };
}

/** The names that pages show until their script has loaded, by theme. */
const NAMES: Readonly<Record<string, string>> = {
  shop: 'Kontor',
  hosted: 'OfAge',
  console: 'OfAge playground',
};

/** Returns the element that the page renders into, and one that is visible until then. */
function appElements(name = ''): HtmlTagDescriptor[] {
  const attrs = { class: 'shell', 'aria-busy': 'true', translate: 'no' };
  return [tag('div', { id: 'app' }, 'body'), { ...tag('p', attrs, 'body'), children: name }];
}

/** The browser's own bar has the colour of the site bar, which is dark in both colour schemes. */
const BAR_COLOUR = { name: 'theme-color', content: '#151a2b' };

function tag(
  name: string,
  attrs: Record<string, string>,
  part: 'head' | 'body' = 'head',
): HtmlTagDescriptor {
  return { tag: name, attrs, injectTo: `${part}-prepend` };
}

/**
 * Moves the stylesheets before the scripts, because the page becomes visible when they have loaded. The base
 * styles come first, so that a page's own styles override them. The bundler's order of chunks is another.
 */
function stylesFirst(): Plugin {
  return {
    name: 'ofage-styles-first',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
        const rest = styles.reduce((text, style) => text.replace(style, ''), html);
        const isBase = (style: string): boolean => style.includes('assets/base-');
        const sorted = [...styles.filter(isBase), ...styles.filter((style) => !isBase(style))];
        return rest.replace(/ *<script type="module"/, (script) => sorted.join('') + script);
      },
    },
  };
}

/**
 * Adds the SDK's script tag to the pages that use it, as a customer's page would have it. The mock server
 * serves an SDK that is bound to itself. The static site contains the production bundle.
 */
function sdkScript(isStatic: boolean): Plugin {
  return {
    name: 'ofage-sdk',
    transformIndexHtml: {
      // Runs after Vite has looked for scripts to bundle, so that this script is not bundled.
      order: 'post',
      handler(_html, { filename }) {
        const page = toSlashes(relative(path('.'), filename));
        if (!PAGES_WITH_SDK.test(page)) return [];
        const src = `${'../'.repeat(page.split('/').length - 1) || './'}sdk.min.js`;
        // Deferred, so that the page is visible before the bundle has loaded. Modules run after it.
        return [{ tag: 'script', attrs: { src, defer: true }, injectTo: 'head-prepend' }];
      },
    },
    generateBundle() {
      if (!isStatic) return;
      const source = readFileSync(path('../dist/sdk.min.js'));
      this.emitFile({ type: 'asset', fileName: 'sdk.min.js', source });
    },
  };
}

/**
 * Lets the pages of the static site report what they do with the SDK. The mock server appends that part to
 * the SDK's script, and the static site contains the published file.
 */
function staticReports(): Plugin {
  return {
    name: 'ofage-static-reports',
    transformIndexHtml: {
      order: 'pre',
      handler(html, { filename }) {
        const page = toSlashes(relative(path('.'), filename));
        if (!PAGES_WITH_SDK.test(page) || PAGES_WITHOUT_SERVICE.test(toSlashes(filename)))
          return [];
        const [, root = './'] = /data-root="([^"]*)"/.exec(html) ?? [];
        const src = `${root}shared/static-reports.ts`;
        return [tag('script', { type: 'module', src }, 'body')];
      },
    },
  };
}
