// What makes something returns it: whoever asked for it need not search for its id.
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../core/contract/index.ts'

interface Shape {
  type?: string | string[]
  properties?: Record<string, unknown>
  items?: Shape
  anyOf?: Shape[]
}

const hasId = ({ properties, items, anyOf }: Shape): boolean =>
  properties?.id !== undefined || (items !== undefined && hasId(items)) || (anyOf?.some(hasId) ?? false)

/** Those whose reply the specification has otherwise: the list of the codes that were made. */
const otherwise = ['redemptions.create']

describe('an endpoint that makes something', () => {
  const makers = [...endpoints].filter(
    ([name, { method }]) => method === 'POST' && /(\.|[a-z])(create|copy|register|Create|passkeyAdd)/.test(name),
  )

  it.each(makers.filter(([name]) => !otherwise.includes(name)))('%s returns it with its id', (_, { reply }) => {
    expect(hasId(reply.toJSONSchema({ io: 'input', unrepresentable: 'any' }) as Shape)).toBe(true)
  })

  it('is one of these', () => {
    const names = makers.map(([name]) => name)
    for (const name of [
      'users.create',
      'auth.register',
      'auth.providerCreate',
      'tokens.create',
      'channels.create',
      'channels.copy',
    ])
      expect(names).toContain(name)
  })
})
