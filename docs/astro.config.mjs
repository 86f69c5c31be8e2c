import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import starlightLinksValidator from 'starlight-links-validator';
import starlightLlmsTxt from 'starlight-llms-txt';
import starlightOpenAPI, { createOpenAPISidebarGroup } from 'starlight-openapi';
import starlightTypeDoc from 'starlight-typedoc';
import { DOCS_PATH } from '../mock-server/help/docs-site.ts';
import { ENTRIES } from '../scripts/entries.mjs';
import { OUTPUT, ROOT, SITE, SITE_TITLE } from './build/paths.mjs';
import { toSidebar } from './build/sidebar.mjs';
import { writeContents } from './build/write-contents.mjs';

// This must happen before the plugins start, because they read the files.
await writeContents();

const httpApi = createOpenAPISidebarGroup();
const controlApi = createOpenAPISidebarGroup();
const api = (name, group) => ({
  base: `reference/${name}`,
  schema: `./site/openapi/${name}.json`,
  sidebar: { group, operations: { badges: true } },
});

/** The sidebar links only to the pages of the entries, because a list of all exports would be too long. */
const toEntryLink = (label) => ({ label, link: `/reference/typescript/${label}/` });

export default defineConfig({
  site: SITE,
  base: DOCS_PATH,
  srcDir: './site',
  publicDir: './site/public',
  outDir: OUTPUT,
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  // `npm run docs:dev` serves the font and the logo, which are outside of this folder.
  vite: { server: { fs: { allow: [ROOT] } } },
  integrations: [
    starlight({
      title: SITE_TITLE,
      description: 'Age verification for the web, with the whole provider offline',
      favicon: '/ofage.svg',
      // Disables the page for missing files. A host shows that page at any path, and its relative links
      // would only be right at one of them.
      disable404Route: true,
      customCss: ['./site/styles/site.css'],
      components: {
        Header: './site/components/Header.astro',
        MarkdownContent: './site/components/MarkdownContent.astro',
        PageTitle: './site/components/PageTitle.astro',
        // The bar has the choice of the theme on phones, too.
        MobileMenuFooter: './site/components/Nothing.astro',
      },
      sidebar: toSidebar({
        CLI: [{ label: 'The command ofage-mock', link: '/reference/cli/' }],
        HTTP: [httpApi, controlApi],
        WEBHOOKS: [{ label: 'Webhooks', link: '/reference/webhooks/' }],
        TYPESCRIPT: ENTRIES.map(toEntryLink),
      }),
      plugins: [
        // This plugin reads its other options from typedoc.json.
        starlightTypeDoc({
          output: 'reference/typescript',
          typeDoc: { entryFileName: 'index' },
        }),
        starlightOpenAPI([api('http-api', httpApi), api('control-api', controlApi)]),
        starlightLlmsTxt(),
        starlightLinksValidator(),
      ],
    }),
  ],
});
