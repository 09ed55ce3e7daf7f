// Members and elements cut out of JSON bytes, against the same done to the parsed value.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readElements, scanObjectMembers, findCuts, applyByteSplices } from '../../../core/dialects/json/json-bytes.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (run: Uint8Array) => new TextDecoder().decode(run)
const blanks = fc.constantFrom('', ' ', '\n\t')
const choices = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 })
const values = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 8 })

it('elements go, and the others stay letter for letter', () => {
  fc.assert(
    fc.property(values, choices, blanks, (list, goes, blank) => {
      const said = list.map((value) => JSON.stringify(value, null, blank))
      const json = bytes(`[${blank}${said.join(`${blank},${blank}`)}${blank}]`)
      const left = text(
        applyByteSplices(
          json,
          findCuts(readElements(json, 0), (index) => goes[index]!),
        ),
      )
      expect(JSON.parse(left)).toEqual(JSON.parse(JSON.stringify(list.filter((_, index) => !goes[index]))))
      for (const [index, one] of said.entries()) if (!goes[index]) expect(left).toContain(one)
      if (!goes.slice(0, list.length).includes(true)) expect(left).toBe(text(json))
    }),
  )
})

it('members go, and the others stay letter for letter', () => {
  fc.assert(
    fc.property(values, choices, blanks, (list, goes, blank) => {
      const said = list.map((value, index) => `"k${index}"${blank}:${JSON.stringify(value, null, blank)}`)
      const json = bytes(`{${blank}${said.join(`${blank},${blank}`)}${blank}}`)
      const ranges = scanObjectMembers(json).members.map(({ key_start: start, end }) => ({ start, end }))
      const left = text(
        applyByteSplices(
          json,
          findCuts(ranges, (index) => goes[index]!),
        ),
      )
      const kept = list.map((_, index) => `k${index}`).filter((_, index) => !goes[index])
      expect(Object.keys(JSON.parse(left) as object)).toEqual(kept)
      for (const [index, one] of said.entries()) if (!goes[index]) expect(left).toContain(one)
    }),
  )
})
