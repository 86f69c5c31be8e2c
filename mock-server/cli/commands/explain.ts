import { DOCS_URL } from '../../api/brand.ts';
import { DOCS_PATH } from '../../help/docs-site.ts';
import { findHelp } from '../../help/help-page.ts';
import { type Command, requireArguments } from '../command.ts';
import { wrap } from '../printer.ts';
import { paint } from '../terminal.ts';

export const explain: Command = {
  name: 'explain',
  takes: 'CODE',
  summary: 'print the cause and the fix of an error or a finding',
  action: 'explain the code',
  details: `No running mock is needed. CODE is the code of an error of the SDK or the server kit, or of a
finding of the doctor. A running mock also shows the text at /help/CODE.`,
  read(words) {
    const [code] = requireArguments('explain', ['CODE'], words);
    const { entries, nearest } = findHelp(code);
    if (entries.length === 0) {
      const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
      throw new RangeError(`Unknown code "${code}"${hint}`);
    }
    return async (_mock, print) => {
      for (const { from, kind, cause, fix } of entries) {
        const value = { code, from, kind, cause, fix };
        print.text(value, () => [
          [paint('bold', code)],
          ...toLines(`From ${from}. ${kind}`),
          ...toLines(`Cause: ${cause}`),
          ...toLines(`Fix: ${fix}`),
        ]);
      }
    };
  },
};

const COLUMNS = 80;

/** Breaks the lines of a text. A terminal shows no Markdown, so a link is its words with the address. */
function toLines(text: string): string[] {
  const plain = text
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words: string, path: string) => {
      const address = path.replace(`${DOCS_PATH}/`, DOCS_URL);
      return `${words} (${address})`;
    })
    .replaceAll(/\*\*|`/g, '');
  return wrap(plain, COLUMNS - 2).map((line) => `  ${line}`);
}
