// Tools that a caller's format has more forms for than functions, by the names under which a model that only supports
// functions knows them.
import { asObject, asText, getMember, parseJson, omitUndefinedMembers } from '../json/json-value.ts'
import type { Tool } from '../model-request.ts'
import { shortenWithHash } from './sizes.ts'

/** The form of a tool in the caller's format. */
export interface ToolForm {
  type: 'function' | 'custom' | 'local_shell' | 'shell' | 'apply_patch' | 'tool_search'
  /** The name of the tool itself, without its namespace. */
  name: string
  namespace?: string
}

export type ToolForms = ReadonlyMap<string, ToolForm>

/** No vendor accepts longer function names. */
const MAX_NAME = 64

/** Returns the name of a namespaced tool for formats without namespaces: the same for a call as for its tool. */
export function flattenToolName(namespace: string | undefined, name: string): string {
  if (namespace === undefined) return name
  const between = namespace.endsWith('__') ? '' : '__'
  const flat = (namespace + between + name).replaceAll(/[^\w-]/g, '_')
  return flat.length <= MAX_NAME ? flat : shortenWithHash(flat, MAX_NAME)
}

// Tools with free-form text input (OpenAI's custom tools) for models that only support functions: builds a function
// with one text parameter, and extracts the text from the JSON arguments as they stream.

/** The function's one parameter. */
const INPUT = 'input'

const parameters = {
  type: 'object',
  properties: { [INPUT]: { type: 'string', description: 'The whole input of the tool, as plain text' } },
  required: [INPUT],
  additionalProperties: false,
}

/** Returns the function that replaces the tool. Its description states the input format. */
export function createFreeformTool(name: string, description: string | undefined, format: unknown): Tool {
  const words = [description, describeFormat(format)].filter((text) => text !== undefined)
  return omitUndefinedMembers({ name, description: words.length > 0 ? words.join('\n\n') : undefined, parameters })
}

/** Responses has the grammar at the top level, chat one level down. */
function describeFormat(format: unknown): string | undefined {
  if (getMember(format, 'type') !== 'grammar') return undefined
  const { syntax, definition } = asObject(getMember(format, 'grammar')) ?? asObject(format) ?? {}
  const kind = syntax === 'regex' ? 'regular expression' : `${asText(syntax) ?? ''} grammar`.trim()
  return `The ${INPUT} must match this ${kind}:\n${asText(definition) ?? ''}`
}

/** Returns the arguments of a call with this text as input. */
export const wrapInput = (text: string): string => JSON.stringify({ [INPUT]: text })

/** Extracts the text from a call's arguments. */
export function unwrapInput(json: string): string {
  const unwrapper = createUnwrapper()
  return unwrapper.add(json) + unwrapper.rest()
}

export interface ToolInputUnwrapper {
  /** Adds a piece of the arguments and returns the text that it completes. */
  add(piece: string): string
  /** Returns the remaining text at the end of the arguments. */
  rest(): string
}

/** Matches the arguments up to the start of the text. */
const OPENING = new RegExp(`^\\s*\\{\\s*"${INPUT}"\\s*:\\s*"`)
/** The tokens of the opening, to check whether it may still be completed. */
const STEPS = ['{', `"${INPUT}"`, ':', '"']

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * Extracts the text while it streams. Arguments with other parameters are buffered and converted as a whole; arguments
 * that are not an object are used as they are.
 */
export function createUnwrapper(): ToolInputUnwrapper {
  let state: 'opening' | 'text' | 'other' | 'over' = 'opening'
  let buffer = ''

  /** Takes the complete characters from the front of the buffer: an escape or a surrogate pair may be cut. */
  function text(): string {
    let output = ''
    let at = 0
    for (;;) {
      const unit = unitAt(buffer, at)
      if (unit === undefined) break
      at += unit.length
      if (unit === '"') {
        state = 'over'
        break
      }
      output += unit.startsWith('\\') ? plain(unit) : unit
    }
    buffer = state === 'over' ? '' : buffer.slice(at)
    // The first half of a pair waits for the second: many clients could not join them.
    const last = output.charCodeAt(output.length - 1)
    if (state === 'over' || last < 0xd800 || last > 0xdbff) return output
    buffer = output.slice(-1) + buffer
    return output.slice(0, -1)
  }

  return {
    add(piece) {
      if (state === 'over') return ''
      buffer += piece
      if (state === 'opening') {
        const opening = OPENING.exec(buffer)
        if (opening) {
          state = 'text'
          buffer = buffer.slice(opening[0].length)
        } else if (!mayOpen(buffer)) state = 'other'
      }
      return state === 'text' ? text() : ''
    },
    rest() {
      const remaining = buffer
      const previous = state
      buffer = ''
      state = 'over'
      if (previous === 'text') return remaining
      return previous === 'over' ? '' : whole(remaining)
    },
  }
}

/** Returns one whole character or escape; undefined if it is cut or missing. */
function unitAt(json: string, at: number): string | undefined {
  const first = json[at]
  if (first !== '\\') return first
  const unit = json.slice(at, at + (json[at + 1] === 'u' ? 6 : 2))
  return unit.length < 2 || (unit[1] === 'u' && unit.length < 6) ? undefined : unit
}

/** Decodes an escape. An escape that JSON does not define stays as it is. */
function plain(escape: string): string {
  const letter = escape[1] ?? ''
  if (letter === 'u') {
    const code = escape.slice(2)
    return /^[\da-f]{4}$/i.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : escape
  }
  if ('"\\/'.includes(letter)) return letter
  return ESCAPES[letter] ?? escape
}

/** Returns whether a text that ends here may still continue as the opening of freeform input. */
function mayOpen(text: string): boolean {
  let rest = text.trimStart()
  for (const step of STEPS) {
    if (rest.length < step.length) return step.startsWith(rest)
    if (!rest.startsWith(step)) return false
    rest = rest.slice(step.length).trimStart()
  }
  return true
}

/** Converts arguments of another shape: the parameter after others, another parameter, or the text itself. */
function whole(json: string): string {
  const value = parseJson(json)
  if (typeof value === 'string') return value
  const object = asObject(value)
  if (!object) return json
  const members = Object.values(object)
  const input = INPUT in object ? object[INPUT] : members.length === 1 ? members[0] : members.length === 0 ? '' : object
  return typeof input === 'string' ? input : JSON.stringify(input)
}
