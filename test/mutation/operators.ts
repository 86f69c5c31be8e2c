import ts from 'typescript';

/** A place in a file, and the text that replaces it in a mutant. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly replace: string;
}

type Change = readonly [operator: string, node: ts.Node, replace: string];

/** Finds every place of a file to which an operator applies. */
export function findPlaces(file: string, text: string): Place[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const places: Place[] = [];
  const visit = (node: ts.Node): void => {
    for (const [operator, at, replace] of changesOf(node)) {
      const start = at.getStart(source);
      places.push({
        file,
        line: source.getLineAndCharacterOfPosition(start).line + 1,
        operator,
        start,
        end: at.end,
        before: at.getText(source),
        replace,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

/** Shifts a bound, or swaps two operators of the same type. */
const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '%': '*',
};

function changesOf(node: ts.Node): Change[] {
  if (ts.isIfStatement(node))
    return [['negate a condition', node.expression, negate(node.expression)]];
  if (ts.isConditionalExpression(node))
    return [
      ['swap a branch', node.whenTrue, node.whenFalse.getText()],
      ['swap a branch', node.whenFalse, node.whenTrue.getText()],
    ];
  if (ts.isBinaryExpression(node)) {
    const { operatorToken: token } = node;
    const swapped = SWAPPED[token.getText()];
    return swapped === undefined ? [] : [['change an operator', token, swapped]];
  }
  if (ts.isAwaitExpression(node)) return [['drop an await', node, node.expression.getText()]];
  if (ts.isExpressionStatement(node) && isEffect(node.expression))
    return [['drop a statement', node, ';']];
  if (ts.isReturnStatement(node) && node.expression === undefined)
    return [['drop a return', node, ';']];
  if (ts.isSpreadAssignment(node)) return [['drop a spread', node, '']];
  if (ts.isCallExpression(node)) return swapMinMax(node);
  if (ts.isNumericLiteral(node) && !ts.isLiteralTypeNode(node.parent))
    return [['change a number', node, String(Number(node.text.replaceAll('_', '')) + 1)]];
  if (node.kind === ts.SyntaxKind.TrueKeyword && !ts.isLiteralTypeNode(node.parent))
    return [['change a flag', node, 'false']];
  if (node.kind === ts.SyntaxKind.FalseKeyword && !ts.isLiteralTypeNode(node.parent))
    return [['change a flag', node, 'true']];
  return [];
}

function negate(condition: ts.Expression): string {
  return `!(${condition.getText()})`;
}

/** Tells whether a statement does something, such as a call, a deletion or an assignment. */
function isEffect(expression: ts.Expression): boolean {
  return !ts.isStringLiteral(expression);
}

function swapMinMax({ expression }: ts.CallExpression): Change[] {
  const name = expression.getText();
  if (name === 'Math.min') return [['swap min and max', expression, 'Math.max']];
  return name === 'Math.max' ? [['swap min and max', expression, 'Math.min']] : [];
}
