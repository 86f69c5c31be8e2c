/**
 * A second implementation of the service, written from the specification alone. It shares no code with the
 * mock, so a check that passes here too describes the specification and not the mock.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createApi, pathOf } from './second-service/api.ts';
import { Clock } from './second-service/clock.ts';
import { Dashboard } from './second-service/dashboard.ts';
import { createTables, type Habits } from './second-service/model.ts';
import {
  createSession,
  settleSession,
  validateSession,
  type Outcome,
} from './second-service/sessions.ts';
import { Webhooks } from './second-service/webhooks.ts';

export interface SecondServiceOptions {
  /** The name in the signature header. */
  readonly name?: string;
  /** Allows webhooks to 127.0.0.1 without TLS, for receivers on this computer. */
  readonly allowLoopback?: boolean;
  readonly habits?: Habits;
}

export type SecondService = Awaited<ReturnType<typeof startSecondService>>;

/** Starts the service on a free port of 127.0.0.1. */
export async function startSecondService(options: SecondServiceOptions = {}) {
  const { name = 'ofage', allowLoopback = false, habits = {} } = options;
  const clock = new Clock();
  const tables = createTables();
  const signatureHeader = `x-${name}-signature`;
  const webhooks = new Webhooks({ tables, clock, signatureHeader, allowLoopback, habits });
  const service = {
    tables,
    clock,
    emit: webhooks.emit.bind(webhooks),
    verifyUrl: 'https://verify.second.example/start',
  };
  const api = createApi({
    clock,
    findKey: (text) => tables.keys.get(text),
    noRateLimitHeaders: habits.noRateLimitHeaders ?? false,
    operations: {
      [pathOf('create')]: {
        limit: 'create',
        status: 201,
        run: (key, body) => createSession(service, key, body),
      },
      [pathOf('validate')]: {
        limit: 'validate',
        status: 200,
        run: (key, body) => validateSession(service, key, body, !habits.grantsTwice),
      },
    },
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const { port } = api.address() as AddressInfo;

  return {
    apiBase: `http://127.0.0.1:${port}/api/v1`,
    clock,
    webhooks,
    dashboard: new Dashboard(tables, webhooks),
    /** Ends a session, as the hosted page does. */
    settle: (sessionId: string, outcome: Outcome): void => {
      const session = tables.sessions.get(sessionId);
      if (!session) throw new Error(`Unknown session ${sessionId}`);
      settleSession(service, session, outcome);
    },
    close: async (): Promise<void> => {
      api.closeAllConnections();
      api.close();
      await once(api, 'close');
    },
  };
}
