import { checkAge } from '../fetch-shop.ts';

export const prerender = false;
export const POST = ({ request }: { request: Request }): Promise<Response> => checkAge(request);
