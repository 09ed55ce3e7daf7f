// Describes how a declared field is filled in: the data for its control in a form and for its flag in the terminal.
import type { z } from 'zod'
import { findFieldDeclaration, toRules, type FieldDeclaration, type FieldKind } from './field.ts'

export interface FormControl extends Omit<FieldDeclaration, 'inside'> {
  name: string
  /** The kind of input: the declared kind, else the one of the schema. */
  takes: FieldKind | 'text' | 'number' | 'flag' | 'choice'
  /** The stored values of a choice, in the order of `choices`. */
  values: readonly string[]
  /** Minimum of a number. */
  min?: number
  /** Maximum length of a text, in characters. */
  longest?: number
  /** No fractions. */
  whole: boolean
  /** An empty text is null. */
  nullable: boolean
  /** The default value; undefined if the field is required. */
  initial: unknown
}

interface ControlFacts {
  type?: string
  enum?: unknown[]
  minimum?: number
  maxLength?: number
  anyOf?: ControlFacts[]
}

/** The fields of a form without their schemas: small enough for a page. */
export type FormFieldControls<N extends string = string> = Readonly<Record<N, FormControl>>

/** Every field that the form declares. */
export const fieldsOfForm = <S extends z.ZodObject>(schema: S): FormFieldControls<keyof S['shape'] & string> =>
  Object.fromEntries(
    Object.keys(schema.shape)
      .filter((name) => findFieldDeclaration(schema.shape[name] as z.ZodType))
      .map((name) => [name, getControl(schema, name)]),
  ) as FormFieldControls<keyof S['shape'] & string>

/** The fields of a form's group, in their order. */
export const listControls = (form: FormFieldControls, group: string): FormControl[] =>
  Object.values(form)
    .filter((control) => control.group === group)
    .sort((one, other) => (one.order ?? 0) - (other.order ?? 0))

/** @throws where the form declares no such field */
export function getControl(form: z.ZodObject, name: string): FormControl {
  const schema = form.shape[name] as z.ZodType | undefined
  const declared = schema && findFieldDeclaration(schema)
  if (!declared) throw new Error(`${name} is not declared`)
  const json = toRules(schema, 'input') as ControlFacts
  const jsonType = json.anyOf?.find(({ type }) => type !== 'null') ?? json
  const values = (jsonType.enum ?? []).map(String)
  const { inside: _inside, ...fieldTexts } = declared
  return {
    ...fieldTexts,
    name,
    takes: declared.kind ?? (values.length > 0 ? 'choice' : (kinds[jsonType.type ?? ''] ?? 'text')),
    values,
    min: jsonType.minimum,
    longest: jsonType.maxLength,
    whole: jsonType.type === 'integer',
    nullable: json.anyOf?.some(({ type }) => type === 'null') ?? false,
    initial: schema.safeParse(undefined).data ?? declared.initially,
  }
}

/** Returns true if the field is shown for these values of the form. */
export const isShown = ({ shownWhen = {} }: FieldDeclaration, values: object): boolean =>
  Object.entries(shownWhen).every(([name, value]) => (values as Record<string, unknown>)[name] === value)

const kinds: Record<string, FormControl['takes']> = { number: 'number', integer: 'number', boolean: 'flag' }
