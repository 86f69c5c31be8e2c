import { run } from './run.ts';

// The program that reads the output may close the pipe before the output ends, as in
// `ofage-mock events | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await run(process.argv.slice(2), process);
// Exits as soon as all output is written, so that no open handle keeps the process alive. A process that
// ends on its own first restores the default action of its signals, so a Ctrl-C after that would look like
// a crash.
process.stdout.write('', () => process.stderr.write('', () => process.exit()));
