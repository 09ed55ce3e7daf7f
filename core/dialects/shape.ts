// What a format's reader takes of a request, declared member by member. What stands in no declaration is named, at any
// depth, so that nothing vanishes; what only its vendor keeps is told apart, since no other channel may be asked without.
import { listIn, objectIn, textIn, type JsonObject } from './json-value.ts'

/** Something that stands for what only its vendor has: a conversation, a file, a container. */
export interface Kept {
  field: string
  /** What it stands for, and at whom, as a refusal says it. */
  what: string
  /** Formats of the same vendor that can say it too. */
  said: readonly string[]
}

/** What a request holds that a reader does not take. */
export interface Untaken {
  lost: Set<string>
  kept: Kept[]
}

/** Looks at a member that says something, under this name. */
export type Shape = (value: unknown, name: string, untaken: Untaken, spell: Spell) => void

/** How a member's name is spelt in the declaration: some formats take two spellings. */
export type Spell = (name: string) => string
const asItIs: Spell = (name) => name

/** Taken, with all that is in it. */
export const taken: Shape = () => {}

/** Not taken. */
export const named: Shape = (_, name, { lost }) => void lost.add(name)

/** Not taken; these values of it say nothing. */
export const usual =
  (...values: readonly unknown[]): Shape =>
  (value, name, { lost }) => {
    if (!values.includes(value)) lost.add(name)
  }

/** Only its vendor keeps `what`: without it the history, the prompt or a tool would be missing. */
export const kept =
  (what: string, ...said: readonly string[]): Shape =>
  (_, field, untaken) =>
    void untaken.kept.push({ field, what, said })

/** Every one of a list; a single one may stand without its list. */
export const each =
  (shape: Shape): Shape =>
  (value, name, untaken, spell) => {
    for (const one of listIn(value) ?? [value]) shape(one, name, untaken, spell)
  }

export type Shapes = Readonly<Record<string, Shape>>

/** An object's members; a value of another kind is the reader's to judge. */
export const members =
  (shapes: Shapes, unknown: Shape = named): Shape =>
  (value, name, untaken, spell) => {
    for (const [key, member] of Object.entries(objectIn(value) ?? {})) {
      const spelt = spell(key)
      if (says(member))
        shapeOf(shapes, spelt, unknown)(member, name === '' ? spelt : `${name}.${spelt}`, untaken, spell)
    }
  }

/** One of several kinds, told by its `type`, under whose name it goes; of others the reader says what they are. */
export const byType =
  (kinds: Shapes, usualType = '', within = ''): Shape =>
  (value, _, untaken, spell) => {
    const type = textIn(objectIn(value)?.type) ?? usualType
    shapeOf(kinds, type, taken)(value, within + type, untaken, spell)
  }

const shapeOf = (shapes: Shapes, name: string, other: Shape): Shape =>
  (Object.hasOwn(shapes, name) ? shapes[name] : undefined) ?? other

/** Nothing, and what is empty, says nothing. */
function says(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** A request's members that its reader does not take, as they came, and what else it holds that is not taken. */
export function untakenOf(request: JsonObject, shapes: Shapes, spell: Spell = asItIs): Untaken & { extra: JsonObject } {
  const all: Untaken = { lost: new Set(), kept: [] }
  const extra: JsonObject = {}
  for (const [key, value] of Object.entries(request)) {
    const name = spell(key)
    const own: Untaken = { lost: new Set(), kept: [] }
    if (says(value)) shapeOf(shapes, name, named)(value, name, own, spell)
    if (own.lost.delete(name) || own.kept.some(({ field }) => field === name)) extra[name] = value
    for (const field of own.lost) all.lost.add(field)
    all.kept.push(...own.kept)
  }
  return { ...all, extra }
}
