// npm start: installs and builds if needed, then runs the mock server with the demo shop until Ctrl-C. It
// builds only what the mock server needs.
// Further arguments go to the mock server: npm start -- --port 5000
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildServed, isServedBuilt } from './build.mjs';
import { install, newNode, root, toolEnv } from './install.mjs';
import { hasProcessGroups, signalAll } from './platform.mjs';
import { STOPS, isStopped } from './run.mjs';

/**
 * Milliseconds in which a repeated signal is ignored, because npm forwards the Ctrl-C that the terminal has
 * already sent.
 */
const REPEAT_MS = 1000;

/**
 * The process that started this one. Under npm it is a shell, and npm passes a signal only to that, so this
 * process would be left behind. `exec` would replace the shell, but Windows has no such command.
 */
const parent = process.ppid;
const isUnderNpm = process.env.npm_lifecycle_event !== undefined;
const PARENT_MS = 500;

// Exits at once. A process that ends on its own restores the default action of its signals shortly before
// it is gone, and the Ctrl-C that npm forwards would then turn the clean exit code into 130.
process.exit(await start(process.argv.slice(2)));

async function start(args) {
  // A failure of the build during the installation is found by the check below, which builds again.
  const meanwhile = canBuild(process.versions.node) ? buildIfNeeded : undefined;
  return (await install(meanwhile)) || (await buildIfNeeded()) || serve(args);
}

async function buildIfNeeded() {
  if (isServedBuilt()) return 0;
  console.log('Building (the first time, or because something changed)');
  return buildServed();
}

/** Tells whether a version of Node is new enough for the build. The limits are those of Vite. */
function canBuild(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
}

function serve(args) {
  return new Promise((resolve) => {
    let stoppedAtMs;
    const stop = (signal) => {
      const again = stoppedAtMs !== undefined;
      if (again && Date.now() - stoppedAtMs < REPEAT_MS) return;
      stoppedAtMs = Date.now();
      // Stops the whole process group, because the server's own child processes must not outlive it.
      if (server.pid !== undefined) signalAll(server.pid, again ? 'SIGKILL' : signal);
    };
    // The handlers are installed before the server is started, so that no signal ends only this process;
    // see run.mjs.
    for (const signal of STOPS) process.on(signal, stop);
    if (isUnderNpm) {
      const watch = setInterval(() => {
        if (process.ppid === parent) return;
        clearInterval(watch);
        stop('SIGTERM');
      }, PARENT_MS);
    }
    // Starts the server in a separate process group if there are any, so that Ctrl-C reaches it only once,
    // from here.
    const command = [join(root, 'mock-server/dist/ofage-mock.js'), 'start', '--demo', ...args];
    const options = { stdio: 'inherit', env: toolEnv(), detached: hasProcessGroups() };
    const server = spawn(newNode(), command, options);
    server.once('error', ({ message }) => resolve(fail(`cannot be started: ${message}`)));
    server.once('exit', (code, signal) => {
      const wasAsked = stoppedAtMs !== undefined;
      if (code === null) resolve(wasAsked ? 0 : fail(`was ended by ${signal}`));
      else resolve(wasAsked && isStopped(code) ? 0 : code);
    });
  });
}

function fail(reason) {
  console.error(`The mock server ${reason}`);
  return 1;
}
