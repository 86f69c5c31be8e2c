import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { type Plugin, build } from 'vite';

/**
 * Adds the script that sets the chosen theme to the head of each page that has the site bar. It is a file of
 * its own, which delays the page until it has run: the Content-Security-Policy allows no inline script, and a
 * module would run after the page has been painted.
 */
export function earlyTheme(): Plugin {
  const script = buildScript();
  return {
    name: 'ofage-early-theme',
    transformIndexHtml: {
      // Runs after Vite has looked for scripts to bundle, so that this script is not bundled.
      order: 'post',
      async handler(html) {
        // The hosted page belongs to shoppers, and follows their system.
        if (html.includes('data-theme="hosted"')) return [];
        const root = /data-root="([^"]*)"/.exec(html)?.[1] ?? './';
        const { fileName } = await script;
        return [{ tag: 'script', attrs: { src: root + fileName }, injectTo: 'head-prepend' }];
      },
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', ...(await script) });
    },
  };
}

async function buildScript(): Promise<{ fileName: string; source: string }> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('shared/early-theme.ts', import.meta.url)),
        output: { format: 'iife' },
      },
    },
  });
  const [result] = [built].flat();
  if (!result || !('output' in result)) throw new Error('Cannot build the theme: no output');
  const source = result.output[0].code;
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return { fileName: `assets/theme-${hash}.js`, source };
}
