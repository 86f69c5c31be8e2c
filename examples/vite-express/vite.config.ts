import { defineConfig } from 'vite';

export default defineConfig({
  // The page may read these two of the variables that the mock writes into .env, and no secret.
  envPrefix: ['VITE_', 'OFAGE_PUBLISHABLE_KEY', 'OFAGE_API_BASE'],
  // These requests are for the server. The return page, at /age-check/return, is a page of Vite.
  server: { proxy: { '^/age-check(/state)?$': 'http://localhost:3000' } },
  // The server serves the built pages from the folder public.
  publicDir: false,
  build: { outDir: 'public', rolldownOptions: { input: ['index.html', 'age-check/return.html'] } },
});
