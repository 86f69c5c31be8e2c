import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startMockServer } from '../../../mock-server/hosts/node-server.ts';
import { aFolder } from '../../support/folder.ts';

describe('the script of the SDK', () => {
  it.each([
    ['https://api.ofage.example/api/v1', 'x="https://docs.ofage.example/errors/"'],
    ['https://docs.ofage.example/errors/', 'x="https://api.ofage.example/api/v1"'],
  ])('is refused at the start if the mock cannot replace %s', async (missing, script) => {
    const sdkFile = join(aFolder(), 'other.js');
    writeFileSync(sdkFile, script);
    await expect(startMockServer({ port: 0, sdkFile })).rejects.toThrow(
      `Cannot serve the SDK in "${sdkFile}": it does not contain the address "${missing}", which the mock replaces by its own; install the version 3 of ofage`,
    );
  });

  it('is that of the package ofage which the project in the working directory has installed', async () => {
    const project = join(aFolder(), 'project');
    const installed = join(project, 'node_modules/ofage');
    mkdirSync(join(installed, 'dist'), { recursive: true });
    const script =
      'pinned("https://api.ofage.example/api/v1", "https://docs.ofage.example/errors/")';
    writeFileSync(join(installed, 'package.json'), '{ "name": "ofage", "version": "3.0.0" }');
    writeFileSync(join(installed, 'dist/sdk.min.js'), script);
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(project);
    onTestFinished(() => cwd.mockRestore());
    const server = await startMockServer({ port: 0 });
    onTestFinished(() => server.close());
    const bound = script
      .replace('https://api.ofage.example', new URL(server.apiBase).origin)
      .replace('https://docs.ofage.example/errors/', `${new URL(server.apiBase).origin}/help/`);
    const served = await (await fetch(server.sdkUrl)).text();
    // Behind it is the reporter, if it was built.
    expect(served.slice(0, bound.length)).toBe(bound);
  });
});
