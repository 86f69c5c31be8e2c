import { toPrintable } from '../store/safe-text.ts';

/**
 * Shows the control characters of a text that comes from outside, such as those that turn the order of the
 * text around. Tabs and line breaks stay, because a page lays them out.
 */
export function showControls(text: string): string {
  return text.replace(/[^\t\n\r]+/g, toPrintable);
}
