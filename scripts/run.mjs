import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { npmCommand, passesSignals } from './platform.mjs';

/**
 * Runs a command with this terminal's input and output, and returns its exit code: 127 if the command
 * cannot be started, and 128 plus the signal's number if a signal ended it, as in a shell.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    // The terminal sends Ctrl-C to the child too. A signal that only this process receives must be
    // forwarded, otherwise the child would keep running without its parent. The handlers are installed
    // before the child is spawned, so that no signal can end only this process in between. They run later
    // than the code below, when the child exists.
    const passOn = (signal) => {
      if (passesSignals()) child.kill(signal);
    };
    for (const signal of STOPS) process.on(signal, passOn);
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const finish = (code) => {
      for (const signal of STOPS) process.off(signal, passOn);
      resolve(code);
    };
    child.once('error', ({ message }) => {
      console.error(`Cannot run ${command}: ${message}`);
      finish(127);
    });
    child.once('exit', (code, signal) => finish(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/** Runs npm, as `run` runs other programs. */
export function runNpm(args, options) {
  const [command, ...first] = npmCommand();
  return run(command, [...first, ...args], options);
}

/** The signals that ask a program to end. */
export const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Tells whether an exit code means that the process was asked to end by a signal. */
export const isStopped = (code) => STOPS.some((name) => code === 128 + constants.signals[name]);
