/** Adds declarations for the script tag's file: for its global, and for its export in CommonJS. */
export const scriptTagTypes = () => ({
  name: 'script-tag-types',
  generateBundle({ format }) {
    if (format !== 'es') return;
    const files = {
      'global.d.ts': globalTypes('./index.js'),
      'global.d.cts': globalTypes('./index.cjs'),
      'sdk.min.d.cts': `${globalType('./index.cjs')}\ndeclare const OfAge: OfAgeGlobal;\nexport = OfAge;\n`,
    };
    for (const [fileName, source] of Object.entries(files))
      this.emitFile({ type: 'asset', fileName, source });
  },
});

/** Returns the declarations of `ofage/global`, for ES modules or for CommonJS. */
const globalTypes = (index) => `${globalType(index)}
declare global {
  /** Set by sdk.min.js. */
  var OfAge: OfAgeGlobal;
  type OfAge = ofage.OfAge;
}

export {};
`;

/** Returns the type of the script tag's global, with the rest of the SDK's types from `index`. */
const globalType = (index) => `import type * as ofage from '${index}';

/** The constructor, with the other exports of the package as its properties. */
interface OfAgeGlobal extends ofage.OfAgeConstructor {
  readonly handleReturn: typeof ofage.handleReturn;
  readonly selfCheck: typeof ofage.selfCheck;
  readonly isOfAgeError: typeof ofage.isOfAgeError;
  readonly OfAgeError: typeof ofage.OfAgeError;
}
`;
