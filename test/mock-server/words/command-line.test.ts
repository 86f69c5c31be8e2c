import { expect, it } from 'vitest';
import { UNTRIED_CODES } from '../../../mock-server/doctor/untried.ts';
import { parseInvocation } from '../../../mock-server/cli/invocation.ts';
import { toCommandLine } from '../../../mock-server/words/command-line.ts';
import { aMock } from '../../support/a-mock.ts';

it.each([
  ['http://127.0.0.1:4010', 'ofage-mock settle SESSION verified', ''],
  ['http://localhost:4010', 'ofage-mock settle SESSION verified', ''],
  ['http://localhost:5610', 'ofage-mock test ID', ' --url http://localhost:5610'],
  ['http://127.0.0.1:5610/', 'ofage-mock test ID', ' --url http://127.0.0.1:5610'],
  ['https://mock.example', 'ofage-mock test ID', ' --url https://mock.example'],
  ['http://127.0.0.1:5610', 'ofage-mock --write-env .env', ' --port 5610'],
  ['https://mock.example', 'ofage-mock --write-env .env', ''],
])('for the mock at %s, "%s" gets "%s"', (url, command, added) => {
  expect(toCommandLine(command, url)).toBe(`npx ${command}${added}`);
});

it('every command that the doctor proposes is accepted, with another address too', async () => {
  const mock = await aMock();
  const { untried } = await mock.control.doctor();
  expect(untried.map(({ code }) => code)).toEqual(UNTRIED_CODES);
  const commands = untried.flatMap(({ command }) => command ?? []);
  expect(commands.length).toBeGreaterThan(4);
  for (const url of ['http://127.0.0.1:4010', 'http://127.0.0.1:5610']) {
    for (const command of commands) {
      const [, , ...words] = toCommandLine(command, url).split(' ');
      expect(parseInvocation(words), command).toMatchObject({
        kind: expect.stringMatching(/^(start|command)$/),
      });
    }
  }
});
