// Builds the pages, in one of two ways: for the mock server, which also serves the SDK and the shop's
// backend (dist/pages), or as a static site that brings the whole service along (--mode static).
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { msw } from 'msw/vite';
import { type HtmlTagDescriptor, type Plugin, defineConfig } from 'vite';

/** Those that a customer would load the SDK into. */
const PAGES_WITH_SDK = /^(index|return\/index|labs\/.*)\.html$/;

const path = (fromHere: string) => fileURLToPath(new URL(fromHere, import.meta.url));

export default defineConfig(({ mode }) => {
  const isStatic = mode === 'static';
  return {
    root: path('.'),
    // Relative, so that the pages work below any path.
    base: './',
    publicDir: false,
    // Named here because the transform takes its settings from no tsconfig with `paths` in it.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    resolve: {
      alias: [
        { find: /^ofage$/, replacement: path('../src/index.ts') },
        { find: /^ofage\/server$/, replacement: path('../src/server/index.ts') },
        { find: /^ofage\/mock$/, replacement: path('../mock-server/index.ts') },
        { find: /^ofage\/mock\/client$/, replacement: path('../mock-server/client.ts') },
      ],
    },
    plugins: [
      pageShell(),
      sdkScript(isStatic),
      isStatic ? msw({ mode: 'worker-only' }) : compressedAssets(),
    ],
    build: {
      outDir: path(isStatic ? '../dist-static' : '../dist/pages'),
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      // kB. The static site's largest chunk is the service and MSW.
      chunkSizeWarningLimit: 600,
      rolldownOptions: {
        input: {
          shop: path('index.html'),
          return: path('return/index.html'),
          verify: path('verify/index.html'),
          inspector: path('inspector/index.html'),
          dashboard: path('dashboard/index.html'),
          labs: path('labs/index.html'),
          labsCoop: path('labs/coop/index.html'),
          labsFrame: path('labs/frame/index.html'),
          doctor: path('doctor/index.html'),
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
        const icon = html.includes('data-theme="shop"') ? 'kontor' : 'ofage';
        const hasMain = existsSync(join(dirname(filename), 'main.tsx'));
        return [
          tag('meta', { charset: 'utf-8' }),
          tag('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
          tag('link', { rel: 'icon', href: `${root}shared/${icon}.svg` }),
          ...(html.includes('data-theme') ? [] : [tag('meta', CONSOLE_COLOUR)]),
          ...(hasMain || html.includes('main.tsx') ? [tag('div', { id: 'app' }, 'body')] : []),
          { ...tag('noscript', {}, 'body'), children: 'This page needs JavaScript.' },
          ...(hasMain ? [tag('script', { type: 'module', src: './main.tsx' }, 'body')] : []),
        ];
      },
    },
  };
}

const CONSOLE_COLOUR = { name: 'theme-color', content: '#151a2b' };

function tag(
  name: string,
  attrs: Record<string, string>,
  part: 'head' | 'body' = 'head',
): HtmlTagDescriptor {
  return { tag: name, attrs, injectTo: `${part}-prepend` };
}

/**
 * The shop's pages load the SDK by script tag, as a customer's would. The mock server serves one that
 * is bound to itself; the static site has the production bundle beside it.
 */
function sdkScript(isStatic: boolean): Plugin {
  return {
    name: 'ofage-sdk',
    transformIndexHtml: {
      // After Vite has looked for scripts to bundle: this one stays as it is.
      order: 'post',
      handler(_html, { filename }) {
        const page = relative(path('.'), filename);
        if (!PAGES_WITH_SDK.test(page)) return [];
        const src = `${'../'.repeat(page.split('/').length - 1) || './'}sdk.min.js`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
    generateBundle() {
      if (!isStatic) return;
      const source = readFileSync(path('../dist/sdk.min.js'));
      this.emitFile({ type: 'asset', fileName: 'sdk.min.js', source });
    },
  };
}

/** Files below this size are sent as they are. */
const SMALL_BYTES = 1024;

/** Writes a compressed copy of each asset, which the mock server sends to browsers that accept Brotli. */
function compressedAssets(): Plugin {
  const compress = promisify(brotliCompress);
  return {
    name: 'ofage-compressed-assets',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const work = Object.values(bundle).map(async (file) => {
          const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          if (!file.fileName.startsWith('assets/') || bytes.length < SMALL_BYTES) return;
          const source = await compress(bytes);
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source });
        });
        await Promise.all(work);
      },
    },
  };
}
