import type { AttackReport, Side } from './attack.ts';
import type { Exchange } from './exchange.ts';
import type { Customer, World } from './world.ts';

/** Leads a path to the shop's server, or to the careless shop's. */
export type Prefix = '' | 'careless/';

/** Hands a session id to a shop's server, as its return page does. */
export function bringSession(
  world: World,
  sessionId: string,
  title: string,
  { as = world.mallory, prefix = '' }: { as?: Customer; prefix?: Prefix } = {},
): Promise<Exchange> {
  return world.shop(title, `${prefix}verification`, { as, body: { sessionId } });
}

/** Asks a shop's server whether it has let Mallory in. */
export function askAccess({ mallory, shop }: World, prefix: Prefix = ''): Promise<Exchange> {
  return shop('Is Mallory in?', `${prefix}access`, { method: 'GET', as: mallory });
}

/** Tries the same at both shops. */
export async function tryAtBoth(
  world: World,
  act: (prefix: Prefix) => Promise<readonly Exchange[]>,
): Promise<AttackReport> {
  return toReport(world, { shop: await act(''), careless: await act('careless/') });
}

/** Asks both shops what has come of the exchanges. */
export async function toReport(
  world: World,
  { shop, careless }: Readonly<Record<'shop' | 'careless', readonly Exchange[]>>,
): Promise<AttackReport> {
  const problem = toProblem(shop.at(-1));
  return {
    shop: await toSide(world, '', shop, `Mallory is out: ${problem}.`),
    careless: await toSide(world, 'careless/', careless, 'Mallory is out.'),
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
  const outcomeWhenIn = `Mallory is in${because === undefined ? '' : `: ${because}`}.`;
  return {
    isIn,
    outcome: isIn ? outcomeWhenIn : outcomeWhenOut,
    exchanges: [...exchanges, access],
  };
}

/** Returns why the shop said no, in its own words. */
function toProblem(last: Exchange | undefined): string {
  const { problem, validation } = Object(last?.answer) as {
    problem?: { code?: string } | null;
    validation?: { status?: string } | null;
  };
  if (problem?.code) return problem.code;
  if (validation?.status) return `the session is ${validation.status}`;
  return last?.status === 401 ? 'the signature does not fit (401)' : `HTTP ${last?.status}`;
}
