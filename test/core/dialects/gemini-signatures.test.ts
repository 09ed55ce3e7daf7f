// Other vendors' proofs in Gemini's format: its clients take them for bytes, and spell them anew.
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

describe("signatures in Gemini's answers", () => {
  it('keep proofs of others, however a client of Google spells them anew', () => {
    const proof = `weiaopenairespon12345678gAAAAABn-_x`
    const thought = { type: 'reasoning', text: '', choice: 0, signature: proof } as const
    const call: ModelEvent = { type: 'tool_call', index: 0, choice: 0, id: 'c', name: 'f', arguments: '{}' }
    const text: ModelEvent = { type: 'text', text: 'Hello', choice: 0 }
    const spellings: ((base64: string) => string)[] = [
      (base64) => base64,
      (base64) => Buffer.from(base64, 'base64').toString('base64'),
      (base64) => Buffer.from(base64, 'base64').toString('base64url'),
      (base64) => base64.replace(/=+$/, ''),
    ]
    const answers: ModelEvent[][] = [[thought, call], [thought, text], [{ ...thought, text: 'Well.' }, text], [thought]]
    for (const said of answers) {
      const { content } = JSON.parse(new TextDecoder().decode(geminiGenerate.writeWholeReply(said))).candidates[0]
      for (const part of content.parts) expect(part.text).not.toBe(said.length > 1 ? '' : undefined)
      for (const spell of spellings) {
        const parts = content.parts.map(({ thoughtSignature: signature, ...part }: { thoughtSignature?: string }) => {
          if (signature) expect(signature).toMatch(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}=+)?$/)
          return signature ? { ...part, thoughtSignature: spell(signature) } : part
        })
        const again = { contents: [{ role: 'model', parts }] }
        const [message] = geminiGenerate.readModelRequest(bytes(again), { model: 'm', stream: false }).messages
        expect(message?.reasoning?.map(({ signature }) => signature)).toEqual([proof])
        expect(message?.tool_calls?.map(({ signature }) => signature) ?? []).toEqual(
          said.includes(call) ? [undefined] : [],
        )
        expect(geminiGenerate.readRequestHead(bytes(again), { model: 'm', stream: false }).borrowed).toBe(true)
      }
    }
  })
})

describe('a signature in a request of Gemini', () => {
  const packed = (text: string) => Buffer.from(text).toString('base64')
  const PLACEHOLDERS = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']
  const own = packed('bytes of Google')
  const foreign = 'weiaopenairespon12345678gAAAAABn-_x'
  const headOf = (signature: string | undefined) => {
    const part = { functionCall: { name: 'f', args: {} }, thoughtSignature: signature }
    return geminiGenerate.readRequestHead(bytes({ contents: [{ role: 'model', parts: [part] }] }), { model: 'm' })
  }

  it.each<[string, string | undefined, boolean, string | undefined]>([
    ['is none', undefined, false, undefined],
    ["is Google's", own, false, own],
    ["is Google's and begins like one of ours", packed('weitere bytes'), false, packed('weitere bytes')],
    ["is another vendor's", packed(foreign), true, foreign],
    ["is another vendor's, not encoded", foreign, true, foreign],
    ['is the placeholder that Google accepts', PLACEHOLDERS[0], false, undefined],
    ['is the placeholder that Google does not accept', PLACEHOLDERS[1], true, undefined],
    ...PLACEHOLDERS.flatMap((words): [string, string, boolean, undefined][] => [
      [`is ${words}, encoded by a client`, packed(words), true, undefined],
      [`is ${words}, encoded by a client without padding`, packed(words).replace(/=+$/, ''), true, undefined],
    ]),
  ])('that %s', (_, signature, isForeign, proof) => {
    // Only a signature that must not go to Google unchanged makes the request another one.
    expect(headOf(signature).borrowed ?? false).toBe(isForeign)
    expect(headOf(signature).proof).toBe(proof)
  })
})
