// An endpoint that creates something returns it, so that the client need not search for its id.
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { toRules } from '../../../core/contract/field.ts'
import { endpointsByName } from '../../../core/contracts.ts'

interface Shape {
  type?: string | string[]
  properties?: Record<string, unknown>
  items?: Shape
  anyOf?: Shape[]
}

const hasId = ({ properties, items, anyOf }: Shape): boolean =>
  properties?.id !== undefined || (items !== undefined && hasId(items)) || (anyOf?.some(hasId) ?? false)

describe('an endpoint that makes something', () => {
  const makers = [...endpointsByName].filter(
    ([name, { method }]) => method === 'POST' && /(\.|[a-z])(create|copy|register|setup|Create|passkeyAdd)/.test(name),
  )

  it.each(makers)('%s returns it with its id', (_, { reply, replyFields: beside }) => {
    const shapes = [reply, ...Object.values(beside?.shape ?? {})] as z.ZodType[]
    expect(shapes.map((shape) => hasId(toRules(shape, 'input') as Shape))).toContain(true)
  })

  it('is one of these', () => {
    const names = makers.map(([name]) => name)
    for (const name of [
      'users.create',
      'redemptions.create',
      'site.setup',
      'auth.register',
      'auth.providerCreate',
      'tokens.create',
      'channels.create',
      'channels.copy',
    ])
      expect(names).toContain(name)
  })
})
