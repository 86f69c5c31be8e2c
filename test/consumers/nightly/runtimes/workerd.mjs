// Runs out/worker.js in workerd, with the variables of this process.
import { Miniflare } from 'miniflare';

const { COMPATIBILITY_DATE, PORT, OFAGE_SECRET_KEY, OFAGE_API_BASE, OFAGE_WEBHOOK_SECRET } =
  process.env;
const miniflare = new Miniflare({
  modules: true,
  scriptPath: 'out/worker.js',
  compatibilityDate: COMPATIBILITY_DATE,
  compatibilityFlags: ['nodejs_compat', 'nodejs_compat_populate_process_env'],
  host: '127.0.0.1',
  port: Number(PORT),
  bindings: { PORT, OFAGE_SECRET_KEY, OFAGE_API_BASE, OFAGE_WEBHOOK_SECRET },
  // Without this option, Miniflare asks a public server for example data.
  cf: false,
});
await miniflare.ready;
