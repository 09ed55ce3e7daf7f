// What a format's reader takes of a request, declared member by member. What stands in no declaration is named, at any
// depth, so that nothing vanishes; what only its vendor keeps is told apart, since no other channel may be asked without;
// and what is of another kind than its reader takes is refused with its path.
import { fail } from '../errors.ts'
import { asList, asObject, asText, type JsonObject } from './json-value.ts'

/** Something that stands for what only its vendor has: a conversation, a file, a container. */
export interface KeptUpstream {
  field: string
  /** What it stands for, and at whom, as a refusal says it. */
  what: string
  /** Formats of the same vendor that can say it too. */
  said: readonly string[]
}

/** What a request holds that a reader does not take. */
export interface UnsupportedFields {
  lost: Set<string>
  kept: KeptUpstream[]
}

/** Looks at a member that says something, under this name. */
export type FieldShape = (value: unknown, name: string, untaken: UnsupportedFields, spell: Spell) => void

/** How a member's name is spelt in the declaration: some formats take two spellings. */
export type Spell = (name: string) => string
const asItIs: Spell = (name) => name

/** Taken, with all that is in it. */
export const acceptAny: FieldShape = () => {}

/** A value of another kind than declared; its path grows while it is thrown. */
class Misfit extends Error {
  readonly path: (string | number)[] = []
  readonly wanted: string

  constructor(wanted: string) {
    super(wanted)
    this.wanted = wanted
  }
}

function placed(error: unknown, key: string | number): unknown {
  if (error instanceof Misfit) error.path.unshift(key)
  return error
}

function inside(key: string | number, look: () => void): void {
  try {
    look()
  } catch (error) {
    throw placed(error, key)
  }
}

/** Looks at a value's kind alone. */
export type Kind = (value: unknown) => void

/** Taken, where it fits; else the request is refused, as not `wanted`. */
export const kind =
  (wanted: string, fits: (value: unknown) => boolean): Kind =>
  (value) => {
    if (!fits(value)) throw new Misfit(wanted)
  }

/** Taken, where it is of this kind; else the request is refused. */
export const textField = kind('a text', (value) => typeof value === 'string')
export const number = kind('a number', (value) => typeof value === 'number')
export const flagField = kind('true or false', (value) => typeof value === 'boolean')
/** Many languages write an empty list and an empty object alike. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
export const object = kind('an object', (value) => asObject(value) !== undefined || isEmpty(value))
export const listField = kind('a list', (value) => Array.isArray(value) || isEmpty(value))
export const textOrList = kind('a text or a list', (value) => typeof value === 'string' || Array.isArray(value))
export const textOrObject = kind('a text or an object', (value) => typeof value === 'string' || !!asObject(value))
export const oneOf = (...words: readonly string[]): Kind =>
  kind(`one of ${words.join(', ')}`, (value) => words.includes(value as string))

/** Not taken. */
export const reportLost: FieldShape = (_, name, { lost }) => void lost.add(name)

/** Not taken; these values of it say nothing. */
export const acceptDefaults =
  (...values: readonly unknown[]): FieldShape =>
  (value, name, { lost }) => {
    if (!values.includes(value)) lost.add(name)
  }

/** Only its vendor keeps `what`: without it the history, the prompt or a tool would be missing. */
export const vendorOnly =
  (what: string, ...said: readonly string[]): FieldShape =>
  (_, field, untaken) =>
    void untaken.kept.push({ field, what, said })

/** Every one of a list; a single one may stand without its list. */
export const each =
  (shape: FieldShape): FieldShape =>
  (value, name, untaken, spell) => {
    if (!Array.isArray(value)) return shape(value, name, untaken, spell)
    for (const [at, one] of value.entries()) inside(at, () => shape(one, name, untaken, spell))
  }

/** A text, or a list of what is said in parts. */
export const textOr =
  <Place extends unknown[]>(parts: (value: unknown, ...place: Place) => void) =>
  (value: unknown, ...place: Place): void => {
    textOrList(value)
    if (typeof value !== 'string') parts(value, ...place)
  }

export type Shapes = Readonly<Record<string, FieldShape>>

/** An object's members. */
export const members =
  (shapes: Shapes, unknown: FieldShape = reportLost): FieldShape =>
  (value, name, untaken, spell) => {
    object(value)
    for (const [key, member] of Object.entries(value as JsonObject)) {
      const spelt = spell(key)
      if (!says(member)) continue
      const shape = shapeOf(shapes, spelt, unknown)
      inside(key, () => shape(member, name === '' ? spelt : `${name}.${spelt}`, untaken, spell))
    }
  }

/** One of several kinds, told by its `type`, under whose name it goes; `other` is of those that are not declared. */
export const byType =
  (kinds: Shapes, usualType = '', within = '', other: FieldShape = acceptAny): FieldShape =>
  (value, _, untaken, spell) => {
    object(value)
    const { type: said } = value as JsonObject
    if (says(said)) inside('type', () => textField(said))
    const type = asText(said) ?? usualType
    shapeOf(kinds, type, other)(value, within + type, untaken, spell)
  }

/** What a reader does not know by its type. */
export const unknownType: FieldShape = () =>
  inside('type', () => {
    throw new Misfit('a known one')
  })

const shapeOf = (shapes: Shapes, name: string, other: FieldShape): FieldShape =>
  (Object.hasOwn(shapes, name) ? shapes[name] : undefined) ?? other

/** Nothing, and what is empty, says nothing. */
function says(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/**
 * A request's members that its reader does not take, as they came, and what else it holds that is not taken.
 * @throws GatewayError request.invalid with the path of what is of another kind than declared
 */
export function findUnsupportedFields(
  request: JsonObject,
  shapes: Shapes,
  spell: Spell = asItIs,
): UnsupportedFields & { extra: JsonObject } {
  const all: UnsupportedFields = { lost: new Set(), kept: [] }
  const extra: JsonObject = {}
  for (const [key, value] of Object.entries(request)) {
    const name = spell(key)
    const own: UnsupportedFields = { lost: new Set(), kept: [] }
    if (says(value)) look(() => inside(key, () => shapeOf(shapes, name, reportLost)(value, name, own, spell)))
    if (own.lost.delete(name) || own.kept.some(({ field }) => field === name)) extra[name] = value
    for (const field of own.lost) all.lost.add(field)
    all.kept.push(...own.kept)
  }
  return { ...all, extra }
}

/** Kinds of members that are read whoever is asked: of an object by their names, of a list that of each. */
export type Kinds = Kind | readonly [Kinds] | { readonly [name: string]: Kinds }

/** How a format finds a member, and whether a single one may stand without its list. */
export interface Finding {
  member(value: unknown, name: string): unknown
  single?: true
}

const BY_NAME: Finding = { member: (value, name) => (value as JsonObject)[name] }

/** Looks at the declared members and no others; what is missing or null says nothing. */
export function asKind(kinds: Kinds, finding: Finding = BY_NAME): Kind {
  if (typeof kinds === 'function') return kinds
  if (isList(kinds)) return listOf(asKind(kinds[0], finding), finding)
  const all = Object.entries(kinds).map(([name, inner]) => ({ name, look: asKind(inner, finding) }))
  return (value) => {
    object(value)
    let name = ''
    try {
      for (const one of all) {
        const member = finding.member(value, (name = one.name))
        if (member !== undefined && member !== null) one.look(member)
      }
    } catch (error) {
      throw placed(error, name)
    }
  }
}

const isList = (kinds: Exclude<Kinds, Kind>): kinds is readonly [Kinds] => Array.isArray(kinds)

function listOf(each: Kind, { single }: Finding): Kind {
  return (value) => {
    if (single && !Array.isArray(value)) return each(value)
    listField(value)
    let at = 0
    try {
      for (const one of asList(value) ?? []) {
        each(one)
        at++
      }
    } catch (error) {
      throw placed(error, at)
    }
  }
}

/** @throws GatewayError request.invalid with the path of what is of another kind than declared */
export const checkKinds = (request: JsonObject, kind: Kind): void => look(() => kind(request))

function look(at: () => void): void {
  try {
    at()
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    const param = error.path
      .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
      .join('')
    fail('request.invalid', { param, reason: `${param} must be ${error.wanted}` })
  }
}
