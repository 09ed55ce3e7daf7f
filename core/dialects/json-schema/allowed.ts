// The values that a JSON schema allows at one place.
import type { JsonObject } from '../json/json-value.ts'

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

/** The constraints of one place. A missing member does not constrain. */
export interface SchemaShape {
  types?: readonly TypeName[]
  /** The only allowed values. */
  values?: readonly unknown[]
  properties?: Readonly<Record<string, SchemaShape>>
  required?: readonly string[]
  /** Further members of an object: none, any, or of a shape. */
  others?: 'none' | 'any' | SchemaShape
  items?: SchemaShape
  /** The first items of an array, one by one; `items` are those after them. */
  first?: readonly SchemaShape[]
  /** Alternatives, each of which includes the surrounding constraints. */
  choices?: readonly SchemaShape[]
  /** The name of a recursive definition in `ShapeTree.definitions`; empty for the root. */
  reference?: string
  title?: string
  description?: string
  /** Other keywords that constrain or describe, as in JSON schema. */
  words?: JsonObject
}
