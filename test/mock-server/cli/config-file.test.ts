import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../../mock-server/cli/config-file.ts';
import { FULL, file, folder, one, useFolder, write } from './a-config-file.ts';

useFolder();

describe('readConfigFile()', () => {
  it('reads every setting of an account', () => {
    expect(readConfigFile(write(FULL))).toMatchObject(FULL.tenants);
    expect(readConfigFile(write(`\uFEFF${JSON.stringify(FULL)}`))).toHaveLength(2);
  });

  it.each<[unknown, string, string]>([
    ['{\n  tenants: []\n}', 'it is not JSON (line 2 column 3)', 'a syntax error'],
    ['', 'it is not JSON', 'an empty file'],
    [[], 'it must be an object with the property tenants', 'a list'],
    [{}, 'tenants must be an array with at least one account', 'an empty object'],
    [{ tenants: [] }, 'tenants must be an array with at least one account', 'an empty list'],
    [
      { tenants: {} },
      'tenants must be an array with at least one account',
      'an object instead of a list',
    ],
    [
      { tenants: [{ name: 'a' }], port: 1 },
      'property port should not exist',
      'an unknown property',
    ],
    [{ tenants: ['Wine'] }, 'tenants[0]: it must be an object', 'a string instead of an account'],
    [{ tenants: [{}] }, 'tenants[0]: name should not be empty', 'no name'],
    [one({ nmae: 'x' }), 'tenants[0]: property nmae should not exist', 'a typo'],
    [
      one({ policy: { challengeAge: 18 } }),
      'tenants[0]: policy.challengeAge must not be less than 25',
      'a challenge age below the minimum',
    ],
    [
      one({ policy: { age: 30 } }),
      'tenants[0]: property policy.age should not exist',
      'an unknown nested property',
    ],
    [
      one({ allowedDomains: ['https://wine.example'] }),
      'tenants[0]: each value in allowedDomains must be a host',
      'a URL instead of a host',
    ],
    [
      one({ secretKey: 'pk_1234567' }),
      'tenants[0]: secretKey must be a string of 8 to 200 characters without spaces that starts with sk_',
      'a publishable key as the secret key',
    ],
    [
      one({ endpoints: {} }),
      'tenants[0]: endpoints must be an array',
      'an object instead of a list',
    ],
    [
      one({ endpoints: [{ url: 'https://a.example/' }, { events: [] }] }),
      'tenants[0].endpoints[1]: url should not be empty',
      'no URL in the second endpoint',
    ],
    [
      one({ endpoints: [{ url: 'https://a.example/', pairId: 'x' }] }),
      'tenants[0].endpoints[0]: property pairId should not exist',
      'a property that exists only in a stored state',
    ],
    [
      one({ endpoints: Array.from({ length: 21 }, (_, n) => ({ url: `https://a.example/${n}` })) }),
      'tenants[0]: endpoints must contain no more than 20 elements',
      'too many endpoints',
    ],
    [
      { tenants: [{ name: 'a' }, { name: 'a' }] },
      'tenants[1]: name is already used by another account',
      'the same name twice',
    ],
  ])('rejects %j with the message "%s": %s', (config, sentence) => {
    const read = () => readConfigFile(write(config));
    expect(read).toThrow(`Cannot use the config file "${file}": `);
    expect(read).toThrow(sentence);
  });

  it('reports all mistakes at once', () => {
    const config = one({ sandboxMode: 'no', endpoints: [{ url: 1 }] });
    expect(() => readConfigFile(write(config))).toThrow(
      /tenants\[0\]: sandboxMode .*; tenants\[0\].endpoints\[0\]: url /,
    );
  });

  it('reports that the file does not exist or cannot be read', () => {
    expect(() => readConfigFile(file)).toThrow('the file does not exist');
    expect(() => readConfigFile(folder)).toThrow('it cannot be read (EISDIR)');
  });
});
