// One field of a vendor's documented request, as a caller would write it.

export interface Sample {
  /** Members of the request that say it. */
  with: object
  /** What the request says where it does not say it. */
  without?: object
}

/** A format's documented fields by their names; nested ones, kinds of parts, items and tools have names of their own. */
export type Samples = Readonly<Record<string, Sample>>

/** Fields whose value is all there is to say. */
export const plain = (values: Readonly<Record<string, unknown>>): Samples =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { with: { [name]: value } }]))

/** The same for each of several: `said` puts it into a request, and `prefix` before its name. */
export const within = (prefix: string, values: object, said: (value: unknown) => Sample): Samples =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, said(value)]))

export const schema = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}
export const PNG = 'iVBORw0KGgo='
