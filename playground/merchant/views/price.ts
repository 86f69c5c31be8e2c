const PRICE = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

export const formatPrice = (cents: number): string => PRICE.format(cents / 100);
