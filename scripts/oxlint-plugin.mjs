/** In an arrow function, these are written for their value, such as `() => (opened ??= open())`. */
const CONDITIONAL = ['??=', '||=', '&&='];

/**
 * Refuses an assignment inside an expression, because a reader looks for values there and not for changes.
 * A plain assignment may be the whole body of an arrow function, such as `() => (isOpen.value = true)`,
 * because it is then all that the function does.
 */
const noAssignmentInExpression = {
  create: (context) => ({
    AssignmentExpression(node) {
      const { parent } = node;
      const isStatement = parent.type === 'ExpressionStatement';
      const isLoopHeader = parent.type === 'ForStatement' && parent.test !== node;
      const isBody =
        parent.type === 'ArrowFunctionExpression' && !CONDITIONAL.includes(node.operator);
      if (!isStatement && !isLoopHeader && !isBody)
        context.report({ node, message: 'Make this assignment a statement of its own' });
    },
  }),
};

export default {
  meta: { name: 'ofage' },
  rules: { 'no-assignment-in-expression': noAssignmentInExpression },
};
