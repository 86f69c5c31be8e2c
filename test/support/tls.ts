import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestTls {
  /** The certificate of the authority that signed `cert`, as PEM. */
  ca: string;
  cert: string;
  key: string;
}

/** Tells whether `openssl`, which creates the certificates, is installed. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('Skipped the tests over TLS: openssl is not installed');
    return false;
  }
}

/** Creates an authority and a certificate for these host names and addresses, valid for a day. */
export function createTestTls(hosts: readonly string[]): TestTls {
  const folder = mkdtempSync(join(tmpdir(), 'ofage-tls-'));
  const file = (name: string): string => join(folder, name);
  const openssl = (command: string): void =>
    void execFileSync('openssl', command.split(' '), { stdio: 'ignore', cwd: folder });
  const curve = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes';
  const names = hosts.map((host) => `${/^[\d.]+$|:/.test(host) ? 'IP' : 'DNS'}:${host}`).join(',');
  try {
    openssl(`req -x509 ${curve} -days 1 -subj /CN=authority -keyout ca.key -out ca.pem`);
    openssl(`req ${curve} -subj /CN=receiver -keyout key.pem -out request.pem`);
    writeFileSync(file('names.cnf'), `subjectAltName=${names}\n`);
    openssl(
      'x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 1 ' +
        '-extfile names.cnf -out cert.pem',
    );
    const read = (name: string): string => readFileSync(file(name), 'utf8');
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
