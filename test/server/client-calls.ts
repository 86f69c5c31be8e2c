import { type OfAgeError, isOfAgeError } from 'ofage/server';
import { SECRET_KEY } from './builders.ts';

export const returnUrl = 'https://shop.example/return?cart=7';
export const secretKey = SECRET_KEY;

export async function rejectionOf(promise: Promise<unknown>): Promise<OfAgeError> {
  try {
    await promise;
  } catch (error) {
    if (isOfAgeError(error)) return error;
    throw error;
  }
  throw new Error('expected a rejection');
}
