// The facts of a form field, declared in the metadata of its schema: the source of the labels in validation errors, of
// the descriptions in the OpenAPI document, of the flags and prompts of the terminal, and of the fields in the
// console's editors. One schema thus carries the type, the rules and the facts of a field.
import { z } from 'zod'
import { fillTemplate, words, type Words } from '../errors.ts'

/**
 * The way a field is filled in. A number, a text and a choice need none, since their schema defines it. A `switch` is 1
 * or 0, `pairs` are texts by name, and `by_model` is one number, or numbers by model name with `*` for all others.
 */
export type FieldKind =
  'switch' | 'secret' | 'long_text' | 'json' | 'list' | 'lines' | 'quota' | 'time' | 'address' | 'pairs' | 'by_model'

export interface FieldDeclaration {
  label: Words
  /** The effect of the field, with its unit, and the meaning of its empty value. No full stop at the end. */
  help: Words
  kind?: FieldKind
  unit?: Words
  /**
   * The meaning of 0 if it is not an amount, such as `no limit`. It is shown in the help and for every invalid number.
   */
  zero?: Words
  /** The placeholder for an optional field without a value, such as `as the settings of the site say`. */
  unset?: Words
  /** The default of an optional field, if it is neither empty nor off. */
  initially?: boolean
  /** Allowed schemes of an address, such as `https`. */
  protocols?: readonly string[]
  /** Schema of the content of a JSON text. */
  inside?: z.ZodType
  /** The words of an enum, in its order. */
  choices?: readonly Words[]
  /** The values of the choices in the terminal, in their order; undefined if they are the stored ones. */
  typed?: readonly string[]
  /** Its flag in the terminal, where this is not its name. */
  flag?: string
  /** A value for documents, where the type gives none. */
  example?: unknown
  /**
   * The part of the form that shows it, and its position there. Without a group the form places it explicitly or not at
   * all.
   */
  group?: string
  order?: number
  /** Shown where another field of the form has this value. */
  shownWhen?: Readonly<Record<string, unknown>>
  /** The reason why the console or the terminal has no control for it. */
  notIn?: Partial<Record<'console' | 'terminal', string>>
}

/** Returns the schema with its facts. It is a copy: one schema may serve several fields. */
export const field = <S extends z.ZodType>(schema: S, facts: FieldDeclaration): S =>
  schema.meta({ field: { ...facts, help: describeWithZero(facts.help, facts.zero) } })

/**
 * Returns the facts of this very schema. They are one member of its metadata, so that a field made of another field
 * replaces them as a whole. zod's `GlobalMeta` does not declare the member: its types would unfold `inside` for minutes.
 */
const getFacts = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.field as FieldDeclaration | undefined

/** Adds the meaning of 0 to the sentence: `…; 0 for no limit`. */
export const describeWithZero = (sentence: Words, zero: Words | undefined): Words =>
  zero ? fillTemplate(WITH_ZERO, { help: sentence, zero }) : sentence

/** The meaning of 0 in most limits. */
export const ZERO_IS_NO_LIMIT: Words = words('no limit')

const WITH_ZERO: Words = words('{help}; 0 for {zero}')

type FieldSchemas = Record<string, z.ZodType>

/** Adds the declarations to the fields of a shape, by name. Undeclared fields stay as they are. */
export const declareShapeFields = <S extends FieldSchemas>(
  fields: Readonly<Record<string, FieldDeclaration>>,
  shape: S,
): S =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const facts = Object.hasOwn(fields, name) ? fields[name] : undefined
      return [name, facts ? field(schema, facts) : schema]
    }),
  ) as S

/** Finds the facts of a schema, under any defaults, checks and transformations. */
export function findFieldDeclaration(schema: z.core.$ZodType): FieldDeclaration | undefined {
  for (let each: z.core.$ZodType | undefined = schema; each; each = wrapped(each)) {
    const facts = getFacts(each)
    if (facts) return facts
  }
  return undefined
}

/** Converts the rules of a schema to a JSON schema: the type and its limits, without names, facts and references. */
export const toRules = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any', metadata: z.registry<{ id?: string }>() })

interface Definition {
  type: string
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
  valueType?: z.ZodType
  items?: readonly z.ZodType[]
  options?: readonly z.ZodType[]
}

const getDefinition = (schema: z.core.$ZodType) => (schema as z.ZodType).def as unknown as Definition

/** Returns the inner schema: the one under a default, or the input of a transformation. */
function wrapped(schema: z.core.$ZodType): z.ZodType | undefined {
  const { innerType, in: read, out } = getDefinition(schema)
  return innerType ?? (read && getDefinition(read).type === 'transform' ? out : read)
}

/** Returns the schema of a nested value; undefined if the path leaves the schema. */
export function findSchemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  const [step, ...rest] = path
  if (step === undefined) return schema
  const { shape, element, valueType, items, innerType, in: read, out, options = [] } = getDefinition(schema)
  const next = shape?.[String(step)] ?? element ?? valueType ?? items?.[Number(step)]
  if (next) return findSchemaAt(next, rest)
  // A JSON text has its members after it was read.
  const ways = [innerType, read, out, getFacts(schema)?.inside, ...options].filter((way) => way !== undefined)
  return ways.map((way) => findSchemaAt(way, path)).find((found) => found !== undefined)
}
