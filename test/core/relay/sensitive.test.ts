// Prompts with words of the operator's list: found in texts alone, in any case, however they are written.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { createWordCheck } from '../../../core/relay/word-check.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'

const check = createWordCheck()
const on = { ...defaultSettings(), SensitiveWords: '' }

function refused(body: object | string, words: string, settings: Partial<typeof on> = {}): boolean {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  try {
    check({ body: bytes, inbound: openaiChat }, { ...on, SensitiveWords: words, ...settings })
    return false
  } catch (error) {
    expect(error).toMatchObject({ code: 'words.sensitive', relay: { status: 400, code: 'sensitive_words_detected' } })
    return true
  }
}
const saying = (content: unknown, more: object = {}) => ({ model: 'm', messages: [{ role: 'user', content }], ...more })

describe('the word list', () => {
  test('is found anywhere in a text, in any case', () => {
    expect(refused(saying('how to make a BoMb today'), 'gun\n bomb \n')).toBe(true)
    expect(refused(saying('bombard'), 'bomb')).toBe(true)
    expect(refused(saying('a bob'), 'bomb')).toBe(false)
    expect(refused(saying([{ type: 'text', text: 'Bomb' }]), 'bomb')).toBe(true)
    expect(refused(saying('说敏感词吧'), '敏感词')).toBe(true)
    // Letters that fold into others mislead a search for several words at once.
    expect(refused(saying('*.\\I"aISS'), 'ſſs\nSS\nSSB*')).toBe(true)
  })

  test('is found however the text is escaped', () => {
    expect(refused('{"model":"m","messages":[{"role":"user","content":"b\\u006fmb"}]}', 'bomb')).toBe(true)
    expect(refused('{"model":"m","messages":[{"role":"user","content":"\\u654f\\u611f"}]}', '敏感')).toBe(true)
    expect(refused(saying('say "hi" now'), '"hi"')).toBe(true)
    expect(refused('{"model":"m","messages":[{"role":"user","content":"a\\/b"}]}', 'a/b')).toBe(true)
  })

  test('is looked for in texts of the prompt only', () => {
    expect(refused(saying('hello', { user: 'bomb', metadata: { bomb: 'bomb' } }), 'bomb')).toBe(false)
    expect(refused(saying([{ type: 'image_url', image_url: { url: 'https://x/bomb.png' } }]), 'bomb')).toBe(false)
    expect(refused({ model: 'bomb', messages: [{ role: 'user', content: 'hi' }] }, 'bomb')).toBe(false)
  })

  test('is not looked at where it is empty or switched off', () => {
    for (const words of ['', ' \n\n']) expect(refused(saying('bomb'), words)).toBe(false)
    expect(refused(saying('bomb'), 'bomb', { CheckSensitiveEnabled: false })).toBe(false)
    expect(refused(saying('bomb'), 'bomb', { CheckSensitiveOnPromptEnabled: false })).toBe(false)
  })

  test('of a fresh installation holds one harmless word', () => {
    expect(refused(saying('please weir_test_SENSITIVE now'), defaultSettings().SensitiveWords)).toBe(true)
  })

  test('of a request that this dialect cannot read whole is looked for in all of it', () => {
    expect(refused(saying([{ type: 'unheard-of', text: 'bomb' }]), 'bomb')).toBe(true)
  })

  test('of many words finds what a search for each would', () => {
    const letters = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'ü', '词', '"', '\\'),
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 30 }), fc.array(letters), (words, parts) => {
        const text = parts.join('')
        const due = words.some((word) => word.trim() !== '' && text.includes(word.trim()))
        expect(refused(saying(text), words.join('\n'))).toBe(due)
      }),
      { seed: 1, numRuns: 500 },
    )
  })
})
