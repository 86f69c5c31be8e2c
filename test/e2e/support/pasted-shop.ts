/** A shop on another port that consists of the code which the demo shop's generator prints. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Provider } from './provider.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface PastedCode {
  readonly script: string;
  readonly returnPage: string;
  readonly server: string;
}

/** @returns the shop's origin, on `localhost` */
export async function startPastedShop(
  code: PastedCode,
  { secretKey, apiBase }: Provider,
): Promise<{ readonly url: string; stop(): void }> {
  // Inside the package, so that the code can import it by its name.
  await mkdir(join(ROOT, 'reports'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, 'reports/pasted-'));
  const target = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
  await writeFile(join(folder, 'age-check.mjs'), ts.transpile(code.server, target));
  await writeFile(join(folder, 'pages.json'), JSON.stringify(code));
  await writeFile(join(folder, 'main.mjs'), MAIN);
  const child = spawn(process.execPath, [join(folder, 'main.mjs')], {
    // What `npm start` prints for .env.
    env: { ...process.env, OFAGE_SECRET_KEY: secretKey, OFAGE_API_BASE: apiBase },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(createInterface({ input: child.stdout }), 'line');
  return { url: `http://localhost:${String(port)}`, stop: () => void child.kill() };
}

/** The parts of a shop that the generator leaves to the merchant: the routes and the login. */
const MAIN = `
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { ageCheck } from './age-check.mjs';

const pages = JSON.parse(readFileSync(new URL('pages.json', import.meta.url), 'utf8'));
const html = (body) => new Response(body, { headers: { 'content-type': 'text/html' } });

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  let body = '';
  for await (const chunk of request) body += chunk;
  const answer =
    pathname === '/age-check/return' ? html(pages.returnPage)
    : pathname === '/age-check'
      ? await ageCheck(new Request('http://localhost/', { method: 'POST', body }), 'customer-42')
    : html(pages.script);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}).listen(0, '127.0.0.1', () => console.log(String(server.address().port)));
`;
