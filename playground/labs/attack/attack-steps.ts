import type { AttackReport, Side } from './attack.ts';
import type { Exchange } from './exchange.ts';
import type { Customer, Prefix, World } from './world.ts';

/** Sends a session id to a shop's server, as its return page does. */
export function bringSession(
  world: World,
  sessionId: string,
  title: string,
  { as = world.mallory, prefix = '' }: { as?: Customer; prefix?: Prefix } = {},
): Promise<Exchange> {
  return world.shop(title, `${prefix}verification`, { as, body: { sessionId } });
}

export function askAccess({ mallory, shop }: World, prefix: Prefix = ''): Promise<Exchange> {
  return shop('Does Mallory have access?', `${prefix}access`, { method: 'GET', as: mallory });
}

/** Runs the same steps against both shops. */
export async function tryAtBoth(
  world: World,
  act: (prefix: Prefix) => Promise<readonly Exchange[]>,
): Promise<AttackReport> {
  return toReport(world, { shop: await act(''), careless: await act('careless/') });
}

/** Checks Mallory's access at both shops and builds the report. */
export async function toReport(
  world: World,
  { shop, careless }: Readonly<Record<'shop' | 'careless', readonly Exchange[]>>,
): Promise<AttackReport> {
  const problem = toProblem(shop.at(-1));
  return {
    shop: await toSide(world, '', shop, `Mallory has no access: ${problem}.`),
    careless: await toSide(world, 'careless/', careless, 'Mallory has no access.'),
  };
}

async function toSide(
  world: World,
  prefix: Prefix,
  exchanges: readonly Exchange[],
  outcomeWhenOut: string,
): Promise<Side> {
  const access = await askAccess(world, prefix);
  const { access: isIn, because } = Object(access.answer) as { access: boolean; because?: string };
  const outcomeWhenIn = `Mallory has access${because === undefined ? '' : `: ${because}`}.`;
  return {
    isIn,
    outcome: isIn ? outcomeWhenIn : outcomeWhenOut,
    exchanges: [...exchanges, access],
  };
}

/** Returns the shop's reason for denying access. */
function toProblem(last: Exchange | undefined): string {
  const { problem, validation } = Object(last?.answer) as {
    problem?: { code?: string } | null;
    validation?: { status?: string } | null;
  };
  if (problem?.code) return problem.code;
  if (validation?.status) return `the session is ${validation.status}`;
  return last?.status === 401 ? 'the signature does not match (401)' : `HTTP ${last?.status}`;
}
