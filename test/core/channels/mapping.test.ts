// The name that is sent upstream.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getUpstreamModelName } from '../../../core/channels/routed-channel.ts'
import { compareChannelModels } from '../../../core/channels/model-mapping.ts'

const cycle = expect.objectContaining({ code: 'mapping.cycle' })

describe('a model mapping', () => {
  test('follows a chain to its end', () => {
    expect(getUpstreamModelName('a', {})).toBe('a')
    expect(getUpstreamModelName('a', { a: 'b' })).toBe('b')
    expect(getUpstreamModelName('a', { a: 'b', b: 'c', c: 'd' })).toBe('d')
    expect(getUpstreamModelName('x', { a: 'b' })).toBe('x')
  })

  test('ends at a name that maps to itself, or to nothing', () => {
    expect(getUpstreamModelName('a', { a: 'a' })).toBe('a')
    expect(getUpstreamModelName('a', { a: 'b', b: 'b' })).toBe('b')
    expect(getUpstreamModelName('a', { a: ' ' })).toBe('a')
    expect(getUpstreamModelName('a', { a: ' b ' })).toBe('b')
  })

  test('refuses a cycle of any length, wherever it is entered', () => {
    expect(() => getUpstreamModelName('a', { a: 'b', b: 'a' })).toThrow(cycle)
    expect(() => getUpstreamModelName('a', { a: 'b', b: 'c', c: 'd', d: 'b' })).toThrow(cycle)
    expect(() => getUpstreamModelName('a', { a: 'b', b: 'c', c: 'a' })).toThrow(cycle)
  })

  test('knows no names that every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString']) expect(getUpstreamModelName(name, {})).toBe(name)
  })

  test('always comes to an end', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', '')
    fc.assert(
      fc.property(fc.dictionary(names, names), names, (mapping, start) => {
        let end = ''
        try {
          end = getUpstreamModelName(start, mapping)
        } catch (error) {
          return void expect(error).toEqual(cycle)
        }
        expect(mapping[end]?.trim() || end).toBe(end)
      }),
      { seed: 1 },
    )
  })
})

describe("a channel's models beside the list of its provider", () => {
  const offered = ['up-model-a', 'Up-B', 'c', 'd']

  test('are compared by the names that they are sent as, in any letter case', () => {
    const mapping = { std: 'Up-Model-A', chain: 'mid', mid: 'UP-B', away: 'z' }
    expect(compareChannelModels(['std', 'chain', 'C', 'away', 'x'], mapping, offered)).toEqual({
      new: ['d'],
      gone: ['away', 'x'],
      unchanged: ['std', 'chain', 'C'],
    })
    expect(compareChannelModels(['a'], { a: 'b', b: 'a' }, offered).gone).toEqual(['a'])
    expect(compareChannelModels([], {}, ['d', 'c', 'd']).new).toEqual(['c', 'd'])
  })

  test('are each kept or gone, and nothing is new that one of them is sent as', () => {
    const name = fc.constantFrom('a', 'A', 'b', 'B', 'c', 'std')
    const names = fc.uniqueArray(name)
    fc.assert(
      fc.property(names, fc.dictionary(name, name), names, (served, mapping, listed) => {
        const compared = compareChannelModels(served, mapping, listed)
        expect([...compared.unchanged, ...compared.gone].sort()).toEqual([...served].sort())
        const sent = served.flatMap((model) => {
          try {
            return [getUpstreamModelName(model, mapping).toLowerCase()]
          } catch {
            return []
          }
        })
        expect(compared.new.filter((model) => sent.includes(model.toLowerCase()))).toEqual([])
      }),
    )
  })
})
