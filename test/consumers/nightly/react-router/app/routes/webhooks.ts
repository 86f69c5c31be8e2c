import { webhooks } from '../fetch-shop.ts';

export const action = ({ request }: { request: Request }): Promise<Response> => webhooks(request);
