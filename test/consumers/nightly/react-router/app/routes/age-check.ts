import { checkAge } from '../fetch-shop.ts';

export const action = ({ request }: { request: Request }): Promise<Response> => checkAge(request);
