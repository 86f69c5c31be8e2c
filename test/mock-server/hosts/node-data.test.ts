import { describe, expect, it } from 'vitest';
import { isDatabaseUrl, toPublicData } from '../../../mock-server/hosts/node-data.ts';

describe('where state is kept', () => {
  it.each([
    ['postgres://user@localhost/mock', true, 'the usual scheme'],
    ['postgresql://localhost/mock', true, 'the other one that PostgreSQL knows'],
    ['POSTGRES://localhost/mock', true, 'schemes know no case'],
    ['postgres.sqlite', false, 'a file that is called so'],
    ['./postgres://x', false, 'a path, however odd'],
    ['C:\\mock.sqlite', false, 'a drive is no scheme'],
  ])('%s: a database is %s (%s)', (data, isDatabase) => {
    expect(isDatabaseUrl(data)).toBe(isDatabase);
  });

  it.each([
    ['postgres://user:s3cret@localhost:5432/mock', 'postgres://user@localhost:5432/mock', 'usual'],
    [
      'postgres://user:s3@cret@localhost/mock',
      'postgres://user@localhost/mock',
      'the last @ counts',
    ],
    ['postgres://user:@localhost/mock', 'postgres://user@localhost/mock', 'an empty one'],
    ['postgres://:s3cret@localhost/mock', 'postgres://@localhost/mock', 'no user'],
    ['postgres:///mock?password=s3cret&host=/tmp', 'postgres:///mock', 'as a parameter'],
    ['postgresql://localhost/mock', 'postgresql://localhost/mock', 'none at all'],
    ['postgres://user@localhost/a@b:c', 'postgres://user@localhost/a@b:c', 'an @ in the path'],
    ['state:s3@cret.sqlite?x', 'state:s3@cret.sqlite?x', 'a file is shown as it is'],
  ])('shows %s as %s (%s)', (data, shown) => {
    expect(toPublicData(data)).toBe(shown);
  });
});
