// What is allowed at one place of a JSON schema.
import type { JsonObject } from '../json-value.ts'

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

/** What is not said is not limited. */
export interface Shape {
  types?: readonly TypeName[]
  /** All that is allowed. */
  values?: readonly unknown[]
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  /** Members beside `properties`: none, any, or of a shape. */
  others?: 'none' | 'any' | Shape
  items?: Shape
  /** The first items of an array, one by one; `items` are those behind them. */
  first?: readonly Shape[]
  /** One of these, each with all that is said around them. */
  choices?: readonly Shape[]
  /** A definition that holds itself, by its name in `ShapeTree.definitions`; empty of the root. */
  reference?: string
  title?: string
  description?: string
  /** What else limits or explains, in JSON schema's words. */
  words?: JsonObject
}
