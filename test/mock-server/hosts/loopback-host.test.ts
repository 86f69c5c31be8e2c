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
    ['', 'nothing'],
    ['evil.example', 'a foreign name, whatever it resolves to'],
    ['evil.example:4010', 'with our port'],
    ['localhost.evil.example', 'a prefix'],
    ['evil-localhost', 'a suffix'],
    ['127.0.0.1.nip.io', 'an address as a prefix'],
    ['localhost@evil.example', 'userinfo'],
    ['localhost:4010:80', 'two ports'],
    ['localhost:port', 'no number'],
    ['10.0.0.1', 'private is not loopback'],
    ['0.0.0.0:4010', 'unspecified reaches this machine too'],
    ['2130706433', 'a spelling of 127.0.0.1 that browsers rewrite before they send it'],
    ['[::]', 'unspecified'],
    ['[::1', 'half a bracket'],
    ['::1', 'no brackets'],
  ])('refuses %j: %s', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});
