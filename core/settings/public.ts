// The members of the public status that settings declare. A public setting needs nothing but its declaration: the type of
// the member, its place and description, its value in the reply and its first value in the console all come from there.
import type { z } from 'zod'
import { declaredSettings, type SettingKey, type Settings } from './index.ts'
import type { Setting } from './setting.ts'

type Declarations = Readonly<Record<string, Setting<unknown>>>
type Values = Readonly<Record<string, unknown>>

/** Builds the members of the public ones of these settings, in their order, by their names in the status. */
export function buildPublicMembers(declarations: Declarations) {
  const members = Object.entries(declarations)
    .flatMap(([key, { value, help, public: member }]) => (member ? [{ key, value, help, ...member }] : []))
    .sort(({ order: one = LAST }, { order: other = LAST }) => one - other)
  const defaults: Values = Object.fromEntries(
    Object.entries(declarations).map(([key, { value }]) => [key, value.default]),
  )
  /** The members for these values of settings by key. */
  const read = (values: Values): Values =>
    Object.fromEntries(
      members.map(({ key, name, as }) => [name, as ? as.convert(values[key], (other) => values[other]) : values[key]]),
    )
  const initial = read(defaults)
  return {
    read,
    /** The members until the status is known. */
    before: Object.fromEntries(members.map(({ name, before = initial[name] }) => [name, before])),
    /** The types of the members, with their descriptions for the API's document. */
    shape: Object.fromEntries(
      members.map(({ name, value, as, help, meaning = help.en, example = initial[name] }): [string, z.ZodType] => [
        name,
        (as?.type ?? value.type).meta({ description: meaning, examples: [example] }),
      ]),
    ),
  }
}

const LAST = Number.MAX_SAFE_INTEGER

type Declared = typeof declaredSettings

/** The members of the public status that are declared by settings (`public`), under their public names. */
export type PublicSettings = {
  [
    K in SettingKey as Declared[K] extends Setting<infer _T, infer N, infer _P> ? N : never
  ]: Declared[K] extends Setting<infer _T, infer _N, infer P> ? P : never
}

const built = buildPublicMembers(declaredSettings as Record<string, Setting<unknown>>)

/** The types of the public settings. */
export const publicStatusShape = built.shape as {
  [N in keyof PublicSettings]: z.ZodType<PublicSettings[N], PublicSettings[N]>
}

/** The public settings until the status is known. */
export const publicBefore = built.before as PublicSettings

/** Returns the public settings as the status shows them. */
export const readPublicSettings = (settings: Settings): PublicSettings => built.read(settings) as PublicSettings
