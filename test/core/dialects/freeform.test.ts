// The text of a freeform tool inside a function's arguments: put in, and taken out again however it is cut.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFreeformTool, createUnwrapper, unwrapInput, wrapInput } from '../../../core/dialects/requests/tools.ts'

/** The text of these arguments when they come in pieces. */
function inPieces(json: string, cuts: readonly number[]): { text: string; pieces: string[] } {
  const unwrapper = createUnwrapper()
  const places = [0, ...[...cuts].sort((a, b) => a - b), json.length]
  const pieces = places.slice(1).map((end, at) => unwrapper.add(json.slice(places[at], end)))
  pieces.push(unwrapper.rest())
  return { text: pieces.join(''), pieces }
}

/** Every character escaped as \uXXXX, as some servers write JSON. */
const escaped = (text: string): string =>
  `{ "input" :\n"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}" }`

/** Without halves of pairs that stand alone. */
const isWhole = (said: string): boolean => [...said].every((letter) => !/^[\ud800-\udfff]$/.test(letter))

const text = fc.string({ unit: 'binary', maxLength: 30 })
const cuts = fc.array(fc.nat(400), { maxLength: 40 })

describe('a text in arguments', () => {
  it('is taken out wherever it is cut', () => {
    fc.assert(
      fc.property(text, fc.boolean(), cuts, (said, spelled, at) => {
        const json = spelled ? escaped(said) : wrapInput(said)
        const places = at.map((cut) => cut % (json.length + 1))
        const { text: read, pieces } = inPieces(json, places)
        expect(read).toBe(said)
        // Halves of a pair alone would be no text.
        if (isWhole(said)) for (const piece of pieces) expect(isWhole(piece), piece).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('is said letter by letter', () => {
    const json = wrapInput('a\n"b" 😀\\')
    const { pieces } = inPieces(
      json,
      [...json].map((_, at) => at),
    )
    expect(pieces.filter((piece) => piece !== '')).toEqual(['a', '\n', '"', 'b', '"', ' ', '😀', '\\'])
  })

  it.each([
    ['{"patch":"*** Begin"}', '*** Begin'],
    ['{"why":"so","input":"*** Begin"}', '*** Begin'],
    ['{"input":"*** Begin","more":[1]}', '*** Begin'],
    ['"*** Begin"', '*** Begin'],
    ['*** Begin', '*** Begin'],
    ['{"a":"b","c":"d"}', '{"a":"b","c":"d"}'],
    ['{"input":{"a":1}}', '{"a":1}'],
    ['{}', ''],
    ['', ''],
    ['{"input":"cut \\ud83d', 'cut \ud83d'],
    ['{"input":"a\nb"}', 'a\nb'],
  ])('is read from %j, and the same in any two pieces', (json, said) => {
    expect(unwrapInput(json)).toBe(said)
    for (let at = 0; at <= json.length; at++) expect(inPieces(json, [at]).text).toBe(said)
  })

  it('says in words what it has to look like', () => {
    const grammar = { syntax: 'lark', definition: 'start: "a"' }
    const words = 'Edits.\n\nThe input must match this lark grammar:\nstart: "a"'
    expect(createFreeformTool('edit', 'Edits.', { type: 'grammar', ...grammar }).description).toBe(words)
    expect(createFreeformTool('edit', 'Edits.', { type: 'grammar', grammar }).description).toBe(words)
    expect(createFreeformTool('edit', 'Edits.', { type: 'text' }).description).toBe('Edits.')
    expect(
      createFreeformTool('edit', undefined, { type: 'grammar', syntax: 'regex', definition: 'a+' }).description,
    ).toContain('regular expression:\na+')
  })
})
