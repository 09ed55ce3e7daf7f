// Rules of our own for oxlint.
import { fileURLToPath } from 'node:url'

const tests = fileURLToPath(new URL('..', import.meta.url))
const relay = fileURLToPath(new URL('../../core/relay/', import.meta.url))

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

const isInFunction = (node) => {
  for (let outer = node.parent; outer; outer = outer.parent) if (FUNCTIONS.has(outer.type)) return true
  return false
}

/**
 * A regular expression made of a caller's text can hold the event loop for good. Patterns are literals, or are made of
 * constants while a module is loaded; another one says in the line that switches this rule off whose words it is made of.
 */
const noPatternOfText = {
  meta: { type: 'problem' },
  create(context) {
    if (context.filename.startsWith(tests)) return {}
    const refuse = (node) => {
      const isPattern = node.callee.type === 'Identifier' && node.callee.name === 'RegExp'
      const isConstant = node.arguments.every(({ type }) => type === 'Literal')
      if (!isPattern || isConstant || context.filename.endsWith('.data.ts') || !isInFunction(node)) return
      context.report({ node, message: 'A RegExp of text that comes at run time: use a literal, or compare the text.' })
    }
    return { NewExpression: refuse, CallExpression: refuse }
  },
}

/**
 * The relay asks the ledger what an account can pay, by `findPayingAccount`: a user's own balance says nothing where a team pays, and
 * what was read once is old.
 */
const noBalanceInRelay = {
  meta: { type: 'problem' },
  create(context) {
    if (!context.filename.startsWith(relay)) return {}
    return {
      MemberExpression(node) {
        const { object, property } = node
        const owner = object.type === 'MemberExpression' ? object.property : object
        if (property.name !== 'quota' || !/user|owner|account|payer|member|team/i.test(owner.name ?? '')) return
        context.report({
          node,
          message: 'A balance that the relay reads itself: ask the ledger, by findPayingAccount.',
        })
      },
    }
  },
}

export default {
  meta: { name: 'weir' },
  rules: { 'no-pattern-of-text': noPatternOfText, 'no-balance-in-relay': noBalanceInRelay },
}
