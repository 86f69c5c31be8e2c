import { webhooks } from '../../fetch-shop.ts';

export const prerender = false;
export const POST = ({ request }: { request: Request }): Promise<Response> => webhooks(request);
