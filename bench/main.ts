/**
 * Runs the benchmarks, which measure but enforce no limits: `npm run bench -- postgres`, or another of the
 * names below. Where a baseline exists, ratios to it in the same run are printed too, because absolute
 * times say more about the machine than about the code.
 */
const BENCHES: Readonly<Record<string, () => Promise<{ run(): Promise<void> }>>> = {
  console: () => import('./console.ts'),
  'first-load': () => import('./first-load.ts'),
  postgres: () => import('./postgres.ts'),
  sdk: () => import('./sdk.ts'),
  service: () => import('./service.ts'),
  sessions: () => import('./sessions.ts'),
  webhooks: () => import('./webhooks.ts'),
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(
    `Unknown benchmark "${unknown.join(', ')}": choose from ${Object.keys(BENCHES).join(', ')}`,
  );
  process.exit(2);
}
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const bench = await BENCHES[name]?.();
  await bench?.run();
}
