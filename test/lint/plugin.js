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

const SENTENCE = /(?<=[.!?:]["”')`]?)\s+(?=["“'`(]?[A-Z])/
const RELATIVE_CLAUSE = /^["“'`(]?(Who|Whoever|Whom|Whose|What|Whatever|Which|Whichever|Where|Wherever)\b/
const DIRECTIVE = /^[\s*/#]*(@|eslint|oxlint|prettier|region|endregion|<reference)/

/** Joins line comments that follow each other, and drops the stars of a block. */
function* readComments(comments) {
  let open
  for (const { type, value, loc } of comments) {
    const text = value.replace(/^\s*\*+ ?/gm, '').trim()
    if (DIRECTIVE.test(value)) continue
    if (
      type === 'Line' &&
      open?.type === 'Line' &&
      open.end.line === loc.start.line - 1 &&
      open.column === loc.start.column
    ) {
      open.text += ` ${text}`
      open.end = loc.end
    } else {
      if (open) yield open
      open = { type, text, start: loc.start, end: loc.end, column: loc.start.column }
    }
  }
  if (open) yield open
}

/** A sentence of a comment begins with its subject, not with a relative clause (docs/naming.md, Comments, 2). A question may. */
const subjectFirst = {
  meta: { type: 'suggestion' },
  create(context) {
    if (context.filename.startsWith(tests)) return {}
    return {
      Program() {
        for (const { text, start, end } of readComments(context.sourceCode.getAllComments()))
          for (const sentence of text.replace(/\s+/g, ' ').split(SENTENCE)) {
            if (!RELATIVE_CLAUSE.test(sentence) || sentence.endsWith('?')) continue
            const message = `Begin with the subject: "${sentence.slice(0, 60)}".`
            context.report({ loc: { start, end }, message })
          }
      },
    }
  },
}

/** Names that docs/naming.md replaces by the field's own terms: as whole names, and as words within one. */
const BANNED_NAMES = new Set(
  (
    'told tells telling says saying heard hears hearing untold unsaid unheard retold beside besides whoever whatever whose nobody ' +
    'somebody anew asker misasked owes owing strangers poured mended gathered reckoned underway goesOn goingOn letGo turnOf wayOf'
  ).split(' '),
)
const BANNED_PARTS =
  /^(?:told|said|untold|unsaid|unheard|beside|anew|whoever|owed|owing|poured|misasked|retold)[A-Z]|[a-z](?:Told|Said|Untold|Unsaid|Unheard|Beside|Anew|Whoever|Owed|Owing|Poured|Misasked|Retold|LetGo)(?![a-z])/
/** A name that hides its verb behind a preposition: `usageIn`. Names of relations (`isPrefixOf`) and phrasal verbs are none. */
const PREPOSITION = /^(?!is[A-Z])(?!oneOf$|fillIn$|signIn$)[a-z][A-Za-z\d]*(?<!Sign|Signed|Built)(?:Of|In)$/

/** A name that a program declares, as opposed to the members of what it reads and writes, whose names are published. */
const plainNames = {
  meta: { type: 'suggestion' },
  create(context) {
    if (context.filename.startsWith(tests)) return {}
    const check = (node) => {
      if (node?.type !== 'Identifier') return
      if (BANNED_NAMES.has(node.name) || BANNED_PARTS.test(node.name))
        context.report({ node, message: `"${node.name}" is no term of the field: see the terms of docs/naming.md.` })
    }
    const checkFunction = (node) => {
      check(node)
      if (node?.type === 'Identifier' && PREPOSITION.test(node.name))
        context.report({ node, message: `"${node.name}": begin with a verb instead of ending in Of or In.` })
    }
    return {
      FunctionDeclaration: ({ id }) => checkFunction(id),
      VariableDeclarator: ({ id, init }) =>
        init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression' ? checkFunction(id) : check(id),
      ClassDeclaration: ({ id }) => check(id),
      TSInterfaceDeclaration: ({ id }) => check(id),
      TSTypeAliasDeclaration: ({ id }) => check(id),
    }
  },
}

export default {
  meta: { name: 'weir' },
  rules: {
    'no-pattern-of-text': noPatternOfText,
    'no-balance-in-relay': noBalanceInRelay,
    'subject-first': subjectFirst,
    'plain-names': plainNames,
  },
}
