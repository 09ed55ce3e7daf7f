// Assembles a function call whose arguments come in pieces: each piece has its path (`$.rows[0].name`) and its value.
import type { ToolCall } from '../model-request.ts'
import { asList, asObject, asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import { findPartSignature } from './signature.ts'
import { getEitherSpelling } from './fields.ts'

/** More elements than any call has; a larger index is skipped. */
const MAX_INDEX = 100_000

type UnnamedCall = Omit<ToolCall, 'id'> & { id?: string }

/** An assembler of one call after another. */
export interface PartialCallAssembler {
  /** Is this part a piece of a call, rather than a whole one? An empty piece closes the open call. */
  takes(part: unknown): boolean
  /** Adds a part and returns the calls that it completes: also the open one if the part starts another. */
  take(part: unknown): UnnamedCall[]
  /** Returns the call that is still open if the stream ended without closing it. */
  rest(): UnnamedCall | undefined
}

export function createPartialCalls(): PartialCallAssembler {
  let open: { call: Omit<UnnamedCall, 'arguments'>; args: JsonObject } | undefined

  function rest(): UnnamedCall | undefined {
    const done = open && { ...open.call, arguments: JSON.stringify(open.args) }
    open = undefined
    return done
  }
  return {
    rest,
    takes(part) {
      const call = getEitherSpelling(part, 'functionCall')
      const piece =
        getEitherSpelling(call, 'willContinue') === true || getEitherSpelling(call, 'partialArgs') !== undefined
      return piece || (open !== undefined && getEitherSpelling(call, 'name') === undefined)
    },
    take(part) {
      const call = asObject(getEitherSpelling(part, 'functionCall')) ?? {}
      const [id, name] = [asText(call.id), asText(call.name)]
      const another = open && (differs(id, open.call.id) || differs(name, open.call.name))
      const before = another ? rest() : undefined
      open ??= { call: { name: name ?? '' }, args: {} }
      open.call = { ...open.call, ...omitUndefinedMembers({ id, signature: findPartSignature(part) }) }
      for (const piece of asList(getEitherSpelling(call, 'partialArgs')) ?? []) put(open.args, piece)
      const done = getEitherSpelling(call, 'willContinue') === true ? undefined : rest()
      return [before, done].filter((one) => one !== undefined)
    },
  }
}

/** Are both set, and different? */
const differs = (one: string | undefined, other: string | undefined): boolean => Boolean(one && other && one !== other)

type ArgumentPath = (string | number)[]

const parsePath = (path: string): ArgumentPath =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]/g)].map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  )

function put(args: JsonObject, piece: unknown): void {
  const place = parsePath(asText(getEitherSpelling(piece, 'jsonPath')) ?? '')
  const last = place.at(-1)
  if (last === undefined || place.some((step) => step === '__proto__' || Number(step) > MAX_INDEX)) return
  let at: unknown = args
  for (const [index, step] of place.slice(0, -1).entries()) {
    at = getChild(at, step) ?? setChild(at, step, typeof place[index + 1] === 'number' ? [] : {})
  }
  const before = getChild(at, last)
  const text = getEitherSpelling(piece, 'stringValue')
  // Texts come in pieces too.
  if (typeof text === 'string') setChild(at, last, typeof before === 'string' ? before + text : text)
  else setChild(at, last, getEitherSpelling(piece, 'numberValue') ?? getEitherSpelling(piece, 'boolValue') ?? null)
}

const getChild = (parent: unknown, step: string | number): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step)
    ? (parent as Record<string | number, unknown>)[step]
    : undefined

function setChild(parent: unknown, step: string | number, value: unknown): unknown {
  if (typeof parent === 'object' && parent !== null) (parent as Record<string | number, unknown>)[step] = value
  return value
}
