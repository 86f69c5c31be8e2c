import type { JSX } from 'preact';
import { helpUrl } from '../shared/docs.ts';

/**
 * An error of the SDK or of the server's kit, without the addresses in its message. The one at the end leads
 * to an explanation and is shown as a link.
 */
export function Problem({ code, message }: { code: string; message: string }): JSX.Element {
  const [sentence, address] = message.replace(/ \(https?:[^)]*\)/, '').split(/ See (https?:\S+)$/);
  return (
    <>
      {sentence} <code>{code}</code>
      {address !== undefined && (
        <>
          {' '}
          <a href={helpUrl(code) ?? address}>What it means</a>
        </>
      )}
    </>
  );
}
