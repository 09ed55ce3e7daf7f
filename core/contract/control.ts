// How a declared field is filled in, whatever draws it: what its control and its flag have to know.
import { z } from 'zod'
import { findField, type Field, type FieldKind } from './field.ts'

export interface Control extends Omit<Field, 'inside'> {
  name: string
  /** What is filled in: as its kind says, else as its schema does. */
  takes: FieldKind | 'text' | 'number' | 'flag' | 'choice'
  /** Of a choice: what is stored, in the order of `choices`. */
  values: readonly string[]
  /** Of a number. */
  min?: number
  /** Of a text, in characters. */
  longest?: number
  /** No fractions. */
  whole: boolean
  /** An empty text is null. */
  nullable: boolean
  /** What stands there where nothing was said; undefined where it must be. */
  initial: unknown
}

interface Told {
  type?: string
  enum?: unknown[]
  minimum?: number
  maxLength?: number
  anyOf?: Told[]
}

/** The fields of a form without their schemas: small enough for a page. */
export type FormFields<N extends string = string> = Readonly<Record<N, Control>>

/** Every field that the form declares. */
export const fieldsOfForm = <S extends z.ZodObject>(schema: S): FormFields<keyof S['shape'] & string> =>
  Object.fromEntries(
    Object.keys(schema.shape)
      .filter((name) => findField(schema.shape[name] as z.ZodType))
      .map((name) => [name, getControl(schema, name)]),
  ) as FormFields<keyof S['shape'] & string>

/** The fields of a form's group, in their order. */
export const controlsOf = (form: FormFields, group: string): Control[] =>
  Object.values(form)
    .filter((control) => control.group === group)
    .sort((one, other) => (one.order ?? 0) - (other.order ?? 0))

/** @throws where the form declares no such field */
export function getControl(form: z.ZodObject, name: string): Control {
  const schema = form.shape[name] as z.ZodType | undefined
  const declared = schema && findField(schema)
  if (!declared) throw new Error(`${name} is not declared`)
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Told
  const told = json.anyOf?.find(({ type }) => type !== 'null') ?? json
  const values = (told.enum ?? []).map(String)
  const { inside: _inside, ...said } = declared
  return {
    ...said,
    name,
    takes: declared.kind ?? (values.length > 0 ? 'choice' : (kinds[told.type ?? ''] ?? 'text')),
    values,
    min: told.minimum,
    longest: told.maxLength,
    whole: told.type === 'integer',
    nullable: json.anyOf?.some(({ type }) => type === 'null') ?? false,
    initial: schema.safeParse(undefined).data ?? declared.initially,
  }
}

/** Is it shown beside these values? */
export const isShown = ({ shownWhen = {} }: Field, values: object): boolean =>
  Object.entries(shownWhen).every(([name, value]) => (values as Record<string, unknown>)[name] === value)

const kinds: Record<string, Control['takes']> = { number: 'number', integer: 'number', boolean: 'flag' }
