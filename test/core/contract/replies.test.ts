// The schema of a reply has no rules for input: a stored value can always be read.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../../core/contracts.ts'

interface Schema {
  def: {
    type: string
    checks?: unknown[]
    shape?: Record<string, Schema>
    options?: Schema[]
    element?: Schema
    innerType?: Schema
    valueType?: Schema
    keyType?: Schema
  }
}

/** Paths of everything in a schema that refuses or changes a value of the right type. */
function rules({ def }: Schema, path: string): string[] {
  const own =
    (def.checks?.length ?? 0) > 0 || ['pipe', 'transform', 'default', 'prefault'].includes(def.type) ? [path] : []
  const parts: [string, Schema | undefined][] = [
    ...Object.entries(def.shape ?? {}),
    ...(def.options ?? []).map((each, at): [string, Schema] => [`(${at})`, each]),
    ...(['element', 'innerType', 'valueType', 'keyType'] as const).map((name): [string, Schema | undefined] => [
      name,
      def[name],
    ]),
  ]
  return [...own, ...parts.flatMap(([name, part]) => (part ? rules(part, `${path}.${name}`) : []))]
}

it('no reply carries a rule of inputs', () => {
  const found = [...endpointsByName].flatMap(([name, { reply, replyFields: beside }]) => {
    const shapes = [reply, beside].filter((shape) => shape !== undefined) as unknown as Schema[]
    // A file is told by what it can do.
    return shapes.filter(({ def }) => def.type !== 'custom').flatMap((shape) => rules(shape, name))
  })
  expect(found).toEqual([])
})
