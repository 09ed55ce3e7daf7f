// Writes the translations of core's texts into its modules: a browser reads no catalogues.
import type { Plugin } from 'vite'
import { words } from '../core/texts.ts'

const CORE = /\/core\/(?!adapters\/).*\.ts$/
const CATALOGUES = /\/core\/catalogues\.ts$/

/** Replaces `words('English')` in modules of core by the text in every language. */
export const coreTexts = (): Plugin => ({
  name: 'weir:core-texts',
  transform(code, id) {
    // Texts that are not declared with a literal are composed of texts that are.
    if (CATALOGUES.test(id)) return 'export const createTranslator = () => (language, text) => text'
    if (!CORE.test(id) || !code.includes('words(')) return null
    let out = code
    for (const { start, end, arguments: given } of findCalls(this.parse(code)).reverse()) {
      const [text, options] = given.map((each) => each && readValue(each))
      if (typeof text !== 'string') continue
      out = out.slice(0, start) + `(${JSON.stringify(words(text, options as { context?: string }))})` + out.slice(end)
    }
    return { code: out, map: null }
  },
})

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}

type Call = Node & { callee: Node; arguments: Node[] }

/** Finds the calls of `words`, in their order. */
function findCalls(node: unknown): Call[] {
  if (Array.isArray(node)) return node.flatMap(findCalls)
  if (typeof node !== 'object' || node === null || typeof (node as Node).type !== 'string') return []
  const call = node as Call
  const isWords = call.type === 'CallExpression' && call.callee.type === 'Identifier' && call.callee.name === 'words'
  return isWords ? [call] : Object.values(node).flatMap(findCalls)
}

/** Returns the value of a literal, of literals joined by `+`, or of `{ context: 'literal' }`. */
function readValue(node: Node): unknown {
  if (node.type === 'Literal') return node.value
  if (node.type === 'BinaryExpression') {
    const [left, right] = [readValue(node.left as Node), readValue(node.right as Node)]
    return typeof left === 'string' && typeof right === 'string' ? left + right : undefined
  }
  if (node.type !== 'ObjectExpression') return undefined
  const properties = node.properties as { key: { name: string }; value: Node }[]
  return Object.fromEntries(properties.map(({ key, value }) => [key.name, readValue(value)]))
}
