// Core does nothing when it is imported: it declares. So a declaration that a page does not use can be left out of it, and
// with the schemas the whole of zod. The bundler cannot know that of calls; this tells it.
import type { Plugin } from 'vite'

const CORE = /\/core\/(?!adapters\/).*\.ts$/

/** Marks what files of core make at import as pure: it goes where nobody uses it. */
export const pureDeclarations = (): Plugin => ({
  name: 'weir:pure-declarations',
  enforce: 'post',
  transform(code, id) {
    if (!CORE.test(id)) return null
    let out = code
    for (const { start, end, isStatement } of callsAtImport(this.parse(code).body as Node[]).reverse()) {
      const made = isStatement ? '' : `/*#__PURE__*/ (() => (${code.slice(start, end)}))()`
      out = out.slice(0, start) + made + out.slice(end)
    }
    return { code: out, map: null, moduleSideEffects: false }
  },
})

interface Node {
  type: string
  start: number
  end: number
  declaration?: Node
  declarations?: { init?: Node }[]
  expression?: Node
}

/** What a module calls when it is loaded: what its constants are made by, and statements that call something. */
const callsAtImport = (body: Node[]) =>
  body.flatMap((each) => {
    if (each.type === 'ExpressionStatement') return [{ start: each.start, end: each.end, isStatement: true }]
    const { declarations = [] } = each.declaration ?? each
    return declarations
      .map(({ init }) => init)
      .filter((init) => init !== undefined && init !== null && !PLAIN.has(init.type))
      .map((init) => ({ start: init!.start, end: init!.end, isStatement: false }))
  })

const PLAIN = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'Literal', 'Identifier', 'TemplateLiteral'])
