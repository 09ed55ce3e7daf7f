// Tools that take one text as it is (OpenAI calls them custom), for models that are told of functions alone: a function
// with one text, and the text taken out of its JSON again, piece by piece as it is being said.
import type { Tool } from './model-request.ts'
import { getMember, asObject, parsed, asText, withoutUndefined } from './json-value.ts'

/** The function's one parameter. */
const INPUT = 'input'

const parameters = {
  type: 'object',
  properties: { [INPUT]: { type: 'string', description: 'The whole input of the tool, as plain text' } },
  required: [INPUT],
  additionalProperties: false,
}

/** The function that stands for the tool. What its input has to look like is said in words. */
export function freeformTool(name: string, description: string | undefined, format: unknown): Tool {
  const words = [description, wordsOf(format)].filter((text) => text !== undefined)
  return withoutUndefined({ name, description: words.length > 0 ? words.join('\n\n') : undefined, parameters })
}

/** Responses writes a grammar flat, chat one level down. */
function wordsOf(format: unknown): string | undefined {
  if (getMember(format, 'type') !== 'grammar') return undefined
  const { syntax, definition } = asObject(getMember(format, 'grammar')) ?? asObject(format) ?? {}
  const kind = syntax === 'regex' ? 'regular expression' : `${asText(syntax) ?? ''} grammar`.trim()
  return `The ${INPUT} must match this ${kind}:\n${asText(definition) ?? ''}`
}

/** The arguments of a call whose input is this text. */
export const wrapped = (text: string): string => JSON.stringify({ [INPUT]: text })

/** The text in a call's arguments. */
export function unwrapped(json: string): string {
  const unwrapper = createUnwrapper()
  return unwrapper.add(json) + unwrapper.rest()
}

export interface Unwrapper {
  /** What the next piece of the arguments makes known of the text. */
  add(piece: string): string
  /** What is left once the arguments are over. */
  rest(): string
}

/** Up to where the text itself begins. */
const OPENING = new RegExp(`^\\s*\\{\\s*"${INPUT}"\\s*:\\s*"`)
/** Pieces of it, for telling whether more of it may come. */
const STEPS = ['{', `"${INPUT}"`, ':', '"']

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * Takes the text out while it is being said. Models that do not keep to the one parameter are waited for: then what they
 * said counts as a whole, and where it is no such object, as it is.
 */
export function createUnwrapper(): Unwrapper {
  let state: 'opening' | 'text' | 'other' | 'over' = 'opening'
  let kept = ''

  /** Takes what is whole from the front of what is kept: an escape or a pair of surrogates may be cut. */
  function text(): string {
    let said = ''
    let at = 0
    for (;;) {
      const unit = unitAt(kept, at)
      if (unit === undefined) break
      at += unit.length
      if (unit === '"') {
        state = 'over'
        break
      }
      said += unit.startsWith('\\') ? plain(unit) : unit
    }
    kept = state === 'over' ? '' : kept.slice(at)
    // The first half of a pair waits for the other: alone, many clients could not put them together.
    const last = said.charCodeAt(said.length - 1)
    if (state === 'over' || last < 0xd800 || last > 0xdbff) return said
    kept = said.slice(-1) + kept
    return said.slice(0, -1)
  }

  return {
    add(piece) {
      if (state === 'over') return ''
      kept += piece
      if (state === 'opening') {
        const opening = OPENING.exec(kept)
        if (opening) {
          state = 'text'
          kept = kept.slice(opening[0].length)
        } else if (!mayOpen(kept)) state = 'other'
      }
      return state === 'text' ? text() : ''
    },
    rest() {
      const left = kept
      const said = state
      kept = ''
      state = 'over'
      if (said === 'text') return left
      return said === 'over' ? '' : whole(left)
    },
  }
}

/** A character or an escape, whole; undefined where it is cut or nothing is left. */
function unitAt(json: string, at: number): string | undefined {
  const first = json[at]
  if (first !== '\\') return first
  const unit = json.slice(at, at + (json[at + 1] === 'u' ? 6 : 2))
  return unit.length < 2 || (unit[1] === 'u' && unit.length < 6) ? undefined : unit
}

/** What an escape stands for; one that JSON does not know stands for itself. */
function plain(escape: string): string {
  const letter = escape[1] ?? ''
  if (letter === 'u') {
    const code = escape.slice(2)
    return /^[\da-f]{4}$/i.test(code) ? String.fromCharCode(Number.parseInt(code, 16)) : escape
  }
  if ('"\\/'.includes(letter)) return letter
  return ESCAPES[letter] ?? escape
}

/** May the opening still come of this beginning? */
function mayOpen(text: string): boolean {
  let rest = text.trimStart()
  for (const step of STEPS) {
    if (rest.length < step.length) return step.startsWith(rest)
    if (!rest.startsWith(step)) return false
    rest = rest.slice(step.length).trimStart()
  }
  return true
}

/** Arguments of another shape: the parameter behind others, another one in its place, or the text itself. */
function whole(json: string): string {
  const value = parsed(json)
  if (typeof value === 'string') return value
  const object = asObject(value)
  if (!object) return json
  const members = Object.values(object)
  const input = INPUT in object ? object[INPUT] : members.length === 1 ? members[0] : members.length === 0 ? '' : object
  return typeof input === 'string' ? input : JSON.stringify(input)
}
