import type { Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';

/** Decodes the QR code from the screen, like a phone. */
export async function readQrCode(page: Page): Promise<string> {
  const code = page.getByTestId('qr');
  await code.locator('path').waitFor();
  const png = await code.screenshot({ scale: 'css' });
  const image = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
    return { width: bitmap.width, height: bitmap.height, data: [...data] };
  }, png.toString('base64'));
  return decodeQR({ ...image, data: Uint8Array.from(image.data) });
}
