import { createControlDriver, type Driver } from 'ofage-mock/conformance';
import { createMockService, type Sender } from 'ofage-mock';
import type { Check } from '../../../mock-server/conformance/check.ts';
import { NEEDS, type Need } from '../../../mock-server/conformance/driver.ts';
import { openSetting } from '../../../mock-server/conformance/kit.ts';
import { runCheck, type CheckResult } from '../../../mock-server/conformance/run-check.ts';
import { fetchOf, toKitOptions } from '../in-process.ts';
import { createSenderReceiver } from '../receivers.ts';
import type { Distortion, Memory } from './distortion.ts';

/** What a check has done. */
export interface Run {
  readonly result: CheckResult;
  /** The paths of its requests to the API. */
  readonly paths: readonly string[];
  /** The functions of the driver that it has called. */
  readonly called: ReadonlySet<Need>;
  /** The longest time by which it has moved the clock at once. */
  readonly movedMs: number;
}

/**
 * Runs a check against a new service, which is correct without a distortion.
 * @param requests The number of requests of the check, so that the last response can be distorted
 */
export async function runDistorted(
  check: Check,
  distortion: Distortion = { name: 'none' },
  requests = Infinity,
): Promise<Run> {
  const memory: Memory = { urls: new Set(), texts: [] };
  const paths: string[] = [];
  const called = new Set<Need>();
  let movedMs = 0;
  const { sender, receiver } = createSenderReceiver();
  const next: Sender['send'] = (request) => sender.send(request);
  const service = createMockService({
    // Delays depend on ids.
    seed: 1,
    sender: { send: (request) => distortion.send?.(request, next, memory) ?? next(request) },
  });
  const correct = createControlDriver(service) as Required<Driver>;
  const driver = watch({ ...correct, ...distortion.driver?.(correct) }, (name, args) => {
    called.add(name);
    for (const url of args.flatMap(urlsIn)) memory.urls.add(url);
    if (name === 'advance') movedMs = Math.max(movedMs, Number(args[0]));
  });
  async function fetch(url: string, init: RequestInit): Promise<Response> {
    paths.push(new URL(url).pathname);
    const isLast = paths.length === requests;
    memory.texts.push(new Headers(init.headers).get('authorization') ?? '');
    const response = await fetchOf(service)(url, init);
    memory.texts.push(await response.clone().text());
    return isLast && distortion.answer ? distortion.answer(response, memory) : response;
  }
  // The sender delivers within the move of the clock, so nothing has to be waited for.
  const options = { ...toKitOptions(service, receiver), driver, fetch, patienceMs: 1 };
  const { setting, close } = openSetting(options);
  try {
    return { result: await runCheck(setting, check), paths, called, movedMs };
  } finally {
    await close();
    await service.close();
  }
}

/** Calls `note` with the name and the arguments of each call of the driver. */
function watch(driver: Driver, note: (name: Need, args: readonly unknown[]) => void): Driver {
  const watched = (Object.keys(NEEDS) as Need[]).flatMap((name) => {
    const member: unknown = driver[name];
    if (typeof member !== 'function') return [];
    const call = (...args: unknown[]): unknown => {
      note(name, args);
      return member(...args);
    };
    return [[name, call]];
  });
  return { ...driver, ...Object.fromEntries(watched) };
}

function urlsIn(argument: unknown): string[] {
  const { url = argument } = Object(argument) as { url?: unknown };
  return typeof url === 'string' && /^https?:/.test(url) ? [url] : [];
}
