// How a declared field is filled in, whatever draws it: what its control and its flag have to know.
import { z } from 'zod'
import { fieldOf, type Field } from './field.ts'

export interface Control extends Field {
  name: string
  takes: 'text' | 'number' | 'flag' | 'choice'
  /** Of a choice: what is stored, in the order of `choices`. */
  values: readonly string[]
  min?: number
  /** No fractions. */
  whole: boolean
}

interface Told {
  type?: string
  enum?: unknown[]
  minimum?: number
}

/** The declared fields of a form's group, in their order. */
export const controlsOf = (form: z.ZodObject, group: string): Control[] =>
  Object.keys(form.shape)
    .map((name) => controlOf(form, name))
    .filter((control) => control?.group === group)
    .filter((control) => control !== undefined)
    .sort((one, other) => (one.order ?? 0) - (other.order ?? 0))

/** Undefined where the field declares nothing. */
function controlOf(form: z.ZodObject, name: string): Control | undefined {
  const schema = form.shape[name] as z.ZodType | undefined
  const declared = schema && fieldOf(schema)
  if (!declared) return undefined
  const told = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Told
  const values = (told.enum ?? []).map(String)
  const takes = values.length > 0 ? 'choice' : (kinds[told.type ?? ''] ?? 'text')
  return { ...declared, name, takes, values, min: told.minimum, whole: told.type === 'integer' }
}

const kinds: Record<string, Control['takes']> = { number: 'number', integer: 'number', boolean: 'flag' }
