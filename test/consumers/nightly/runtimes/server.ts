// A shop for Deno and Bun, and for Workers after a bundler. The webhook is the recipe of the guide.
import { checkAge } from './fetch-shop.ts';
import recipe from './webhooks.ts';

export default {
  port: Number(process.env['PORT']),
  hostname: '127.0.0.1',
  fetch(request: Request): Promise<Response> {
    const isCheck = new URL(request.url).pathname === '/age-check';
    return isCheck ? checkAge(request) : recipe.fetch(request);
  },
};
