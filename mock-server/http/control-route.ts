import type { Context } from 'hono';

/** Answers a request to the control surface. What it throws is put into the envelope. */
export type ControlHandler = (c: Context, body: () => unknown) => Promise<Response>;

/** Adds a route below `/control/v1`. */
export type AddControlRoute = (
  method: string,
  path: string,
  handler: ControlHandler,
  maxBodyBytes?: number,
) => void;

/** The `:id` of a path. */
export function idOf(c: Context): string {
  return c.req.param('id') ?? '';
}
