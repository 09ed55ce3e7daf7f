// Which functions of the mutated files a test reaches: what it never calls cannot fail it.
import { isNode, listNodes, type Node } from './syntax.ts'

declare global {
  /** The functions that have been called, where a test run asks for them. */
  var reachedFunctions: Set<string> | undefined
}

const isFunction = ({ type, body }: Node): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type) && isNode(body)

const nameOf = (file: string, node: Node): string => `${file}:${node.start}`

/** The innermost function around a place in a file; undefined for what runs when the file is loaded. */
export function functionAt(file: string, text: string, at: number): string | undefined {
  const around = listNodes(file, text).filter((node) => isFunction(node) && node.start <= at && at < node.end)
  const innermost = around.at(-1)
  return innermost && nameOf(file, innermost)
}

/** The text with a note at the beginning of each function. */
export function markFunctions(file: string, text: string): string {
  const insertions = listNodes(file, text)
    .filter(isFunction)
    .flatMap((node) => {
      const note = `globalThis.reachedFunctions?.add('${nameOf(file, node)}')`
      const body = node['body'] as Node
      return body.type === 'BlockStatement'
        ? [{ at: body.start + 1, text: `${note};` }]
        : [
            { at: body.start, text: `(${note}, ` },
            { at: body.end, text: ')' },
          ]
    })
    .sort((one, other) => one.at - other.at)
  return insertions.reduceRight((marked, { at, text: note }) => marked.slice(0, at) + note + marked.slice(at), text)
}
