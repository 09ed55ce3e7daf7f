// Modules of core only declare and have no effects at import. Marking their calls as pure lets the bundler drop unused
// declarations, and all of zod with the schemas.
import type { Plugin } from 'vite'

const CORE = /\/core\/(?!adapters\/).*\.ts$/

/** Marks the calls that core modules make at import as pure, so that unused ones are removed. */
export const markPureDeclarations = (): Plugin => ({
  name: 'weir:pure-declarations',
  enforce: 'post',
  transform(code, id) {
    if (!CORE.test(id)) return null
    let out = code
    for (const { start, end, isStatement } of callsAtImport(
      this.parse(code, { lang: 'ts' }).body as SyntaxNode[],
    ).reverse()) {
      const made = isStatement ? '' : `/*#__PURE__*/ (() => (${code.slice(start, end)}))()`
      out = out.slice(0, start) + made + out.slice(end)
    }
    return { code: out, map: null, moduleSideEffects: false }
  },
})

interface SyntaxNode {
  type: string
  start: number
  end: number
  declaration?: SyntaxNode
  declarations?: { init?: SyntaxNode }[]
  expression?: SyntaxNode
}

/** Finds the calls that run when a module is loaded: initializers of constants and expression statements. */
const callsAtImport = (body: SyntaxNode[]) =>
  body.flatMap((each) => {
    if (each.type === 'ExpressionStatement') return [{ start: each.start, end: each.end, isStatement: true }]
    const { declarations = [] } = each.declaration ?? each
    return declarations
      .map(({ init }) => init)
      .filter((init) => init !== undefined && init !== null && !PLAIN.has(init.type))
      .map((init) => ({ start: init!.start, end: init!.end, isStatement: false }))
  })

const PLAIN = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'Literal', 'Identifier', 'TemplateLiteral'])
