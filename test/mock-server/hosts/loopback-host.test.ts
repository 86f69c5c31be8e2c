import { describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../../mock-server/hosts/loopback-host.ts';

describe('isLoopbackHost()', () => {
  it.each([
    'localhost',
    'localhost:4010',
    'LOCALHOST:4010',
    '127.0.0.1',
    '127.0.0.1:4010',
    '127.8.9.1:1',
    '[::1]',
    '[::1]:4010',
  ])('accepts %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each([
    ['', 'an empty host'],
    ['evil.example', 'a foreign name, even if it resolves to loopback'],
    ['evil.example:4010', 'a foreign name with our port'],
    ['localhost.evil.example', 'localhost as a prefix'],
    ['evil-localhost', 'localhost as a suffix'],
    ['127.0.0.1.nip.io', 'a loopback address as a prefix'],
    ['localhost@evil.example', 'userinfo'],
    ['localhost:4010:80', 'two ports'],
    ['localhost:port', 'a port that is not a number'],
    ['10.0.0.1', 'a private address is not loopback'],
    ['0.0.0.0:4010', 'the unspecified address'],
    ['2130706433', 'a form of 127.0.0.1 that browsers normalise before they send it'],
    ['[::]', 'the unspecified IPv6 address'],
    ['[::1', 'an unclosed bracket'],
    ['::1', 'an IPv6 address without brackets'],
  ])('rejects %j: %s', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});
