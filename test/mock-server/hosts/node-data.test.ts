import { describe, expect, it } from 'vitest';
import { isDatabaseUrl, toPublicData } from '../../../mock-server/hosts/node-data.ts';

describe('helpers for the data option', () => {
  it.each([
    ['postgres://user@localhost/mock', true, 'the common scheme'],
    ['postgresql://localhost/mock', true, 'the other scheme of PostgreSQL'],
    ['POSTGRES://localhost/mock', true, 'schemes are case-insensitive'],
    ['postgres.sqlite', false, 'a file name'],
    ['./postgres://x', false, 'an unusual path'],
    ['C:\\mock.sqlite', false, 'a drive letter is not a scheme'],
  ])('isDatabaseUrl(%s) is %s (%s)', (data, isDatabase) => {
    expect(isDatabaseUrl(data)).toBe(isDatabase);
  });

  it.each([
    [
      'postgres://user:s3cret@localhost:5432/mock',
      'postgres://user@localhost:5432/mock',
      'with a password',
    ],
    [
      'postgres://user:s3@cret@localhost/mock',
      'postgres://user@localhost/mock',
      'with an @ in the password',
    ],
    ['postgres://user:@localhost/mock', 'postgres://user@localhost/mock', 'with an empty password'],
    ['postgres://:s3cret@localhost/mock', 'postgres://@localhost/mock', 'without a user'],
    [
      'postgres:///mock?password=s3cret&host=/tmp',
      'postgres:///mock',
      'with the password as a parameter',
    ],
    ['postgresql://localhost/mock', 'postgresql://localhost/mock', 'without credentials'],
    ['postgres://user@localhost/a@b:c', 'postgres://user@localhost/a@b:c', 'with an @ in the path'],
    ['state:s3@cret.sqlite?x', 'state:s3@cret.sqlite?x', 'a file path is unchanged'],
  ])('toPublicData(%s) is %s (%s)', (data, shown) => {
    expect(toPublicData(data)).toBe(shown);
  });
});
