import { run } from './run.ts';

// The reader may close the pipe early: `ofage-mock events | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await run(process.argv.slice(2), process);
// Once everything is written, and then at once: nothing that is left may hold us, and a process that ends
// by itself gives its signals their default action back first, so that a late Ctrl-C would look like a crash.
process.stdout.write('', () => process.stderr.write('', () => process.exit()));
