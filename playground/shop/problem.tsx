import type { JSX } from 'preact';
import { helpUrl } from '../shared/docs.ts';

/**
 * An error of the SDK or of the server's kit. Its sentence ends with the address of an explanation, which is
 * shown as a link.
 */
export function Problem({ code, message }: { code: string; message: string }): JSX.Element {
  const [sentence, address] = message.split(/ See (https?:\/\/\S+)$/);
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
