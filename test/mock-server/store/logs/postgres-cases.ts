import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { LOG_FORMAT, type LogError } from '../../../../mock-server/store/log.ts';
import { openPostgresLog } from '../../../../mock-server/store/logs/postgres.ts';
import type { TestPostgres } from '../../../support/postgres.ts';

interface UnusableCase {
  readonly what: string;
  /** Creates the database, unless the case needs none, and returns its URL. */
  prepare(server: TestPostgres): Promise<string> | string;
  readonly code: LogError['code'];
  readonly says: RegExp;
}

/** Databases that cannot store the state. */
export const UNUSABLE: readonly UnusableCase[] = [
  {
    what: 'a port on which nothing listens',
    prepare: () => 'postgres://ofage:s3cret@127.0.0.1:1/test',
    code: 'unreadable',
    says: /"postgres:\/\/ofage@127.0.0.1:1\/test": connection refused; start PostgreSQL/,
  },
  {
    what: 'a socket that does not exist',
    prepare: () => 'postgres://ofage:s3cret@/test?host=/nowhere',
    code: 'unreadable',
    says: /"postgres:\/\/ofage@\/test\?host=\/nowhere": the socket does not exist/,
  },
  {
    what: 'a host that does not exist',
    prepare: () => 'postgres://ofage:s3cret@nowhere.invalid/test',
    code: 'unreadable',
    says: /nowhere.invalid:5432\/test": (the host does not exist|the host name lookup failed);/,
  },
  {
    what: 'an invalid URL',
    prepare: () => 'postgres://ofage:s3cret@127.0.0.1:port/test',
    code: 'unreadable',
    says: /Cannot parse the database URL: .*; use postgres:/,
  },
  {
    what: 'a database that does not exist',
    prepare: (server) => server.url('nowhere'),
    code: 'unreadable',
    says: /\/nowhere": the database does not exist; create it with createdb/,
  },
  {
    what: 'a user who may not log in',
    async prepare(server) {
      const url = await server.createDatabase();
      await server.query(url, 'CREATE ROLE nobody NOLOGIN');
      return url.replace('ofage@', 'nobody:s3cret@');
    },
    code: 'unreadable',
    says: /rejects this user; use a different user/,
  },
  {
    what: 'a user who may not create a schema',
    async prepare(server) {
      const url = await server.createDatabase();
      await server.query(url, 'CREATE ROLE visitor LOGIN');
      return url.replace('ofage@', 'visitor:s3cret@');
    },
    code: 'unreadable',
    says: /this user has no permission to store state there; grant CREATE/,
  },
  {
    what: "another program's schema named ofage with a table named state",
    async prepare(server) {
      const url = await server.createDatabase();
      await server.query(url, 'CREATE SCHEMA ofage; CREATE TABLE ofage.state (name text)');
      return url;
    },
    code: 'unreadable',
    says: /its schema "ofage" belongs to another program; use a different database/,
  },
  {
    what: 'a state in a newer format',
    async prepare(server) {
      const url = await server.createDatabase();
      await (await openPostgresLog(url)).close();
      await server.query(url, `UPDATE ofage.state SET format = ${LOG_FORMAT + 1}`);
      return url;
    },
    code: 'newer_format',
    says: new RegExp(
      `its format is ${LOG_FORMAT + 1}, but this version of ofage reads up to ${LOG_FORMAT}; update`,
    ),
  },
  {
    what: 'a state in an older format',
    async prepare(server) {
      const url = await server.createDatabase();
      await (await openPostgresLog(url)).close();
      await server.query(
        url,
        `UPDATE ofage.state SET format = ${LOG_FORMAT - 1};
         INSERT INTO ofage.entries VALUES (1, 'entry of an older format')`,
      );
      return url;
    },
    code: 'unreadable',
    says: new RegExp(
      `its format is ${LOG_FORMAT - 1}, but .* reads only ${LOG_FORMAT}; use a different database, or drop`,
    ),
  },
  {
    what: 'a database whose encoding lacks most characters',
    prepare: (server) => server.createDatabase("ENCODING 'LATIN1' TEMPLATE template0"),
    code: 'unreadable',
    says: /its encoding is LATIN1, .*; create a database with createdb -E UTF8/,
  },
  {
    what: 'a read-only server',
    async prepare(server) {
      const url = await server.createDatabase();
      return `${url}?options=-c%20default_transaction_read_only%3Don`;
    },
    code: 'unreadable',
    says: /it is read-only; use the primary server/,
  },
];

/** Starts a process that holds the write lock for 1.5 seconds in the middle of a commit. */
export function startStuckProcess(url: string) {
  const program = fileURLToPath(new URL('postgres-stuck-child.ts', import.meta.url));
  return spawn(process.execPath, [program, url, '1500'], { stdio: ['ignore', 'pipe', 'inherit'] });
}
