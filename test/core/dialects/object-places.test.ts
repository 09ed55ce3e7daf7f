// Every declared place of every format is found when its head is read, and nothing where a body names no object.
import { describe, expect, it } from 'vitest'
import { ALL_CALLER_FORMATS } from '../../../core/dialects/caller-formats.ts'
import {
  normalizeFileAddress,
  findProviderObjects,
  normalizePrivateAddress,
} from '../../../core/dialects/requests/object-places.ts'
import { responsesObjectPlaces } from '../../../core/dialects/requests/openai-objects.ts'
import { listObjectPlaces, namingBody } from '../../support/object-places.ts'

const encoder = new TextEncoder()
const BASE: Record<string, object> = {
  'openai-chat': { messages: [{ role: 'user', content: 'x' }] },
  'openai-responses': { input: 'x' },
  'anthropic-messages': { max_tokens: 9, messages: [{ role: 'user', content: 'x' }] },
  'gemini-generate': { contents: [{ parts: [{ text: 'x' }] }] },
  'openai-speech': { input: 'x' },
  'openai-images': { prompt: 'x' },
  'openai-image-edits': { prompt: 'x' },
}

describe('objects of a provider', () => {
  const formats = ALL_CALLER_FORMATS.filter(({ name }) => name in BASE)
  it.each(formats.map((format) => [format.name, format] as const))('are found in each place of %s', (name, format) => {
    const place = { model: 'm', stream: false }
    const read = (body: object) =>
      format.readRequestHead(encoder.encode(JSON.stringify({ model: 'm', ...body })), place)
    expect(read(BASE[name]!).objects).toBeUndefined()
    const cases = listObjectPlaces(format.objects.request).filter(
      // Of another request of the same vendor.
      ({ path }) => !['content', 'requests'].includes(path[0]!) && !(name === 'openai-speech' && path[0] === 'input'),
    )
    expect(cases.length).toBeGreaterThan(3)
    for (const { kind, path } of cases) {
      const { objects } = read({ ...BASE[name], ...namingBody(path, 'files/1') })
      expect(objects, path.join('.')).toEqual([expect.objectContaining({ kind, id: 'files/1' })])
    }
  })

  it('are addresses of a provider’s own storage, in one spelling, and no others', () => {
    const google = 'generativelanguage.googleapis.com/v1beta/files/abc'
    const spelt = [
      `https://${google}`,
      ` HTTPS://${google.toUpperCase().replace('/V1BETA/FILES/ABC', '/v1beta/files/abc')}?alt=media`,
    ]
    const odd = [
      `https://user@${google}`,
      'https://generativelanguage.googleapis.com./v1/files/abc',
      'https:\\\\' + google,
    ]
    for (const text of [...spelt, ...odd, 'files/abc']) {
      expect([normalizeFileAddress(text), normalizePrivateAddress(text)], text).toEqual(['files/abc', 'files/abc'])
    }
    const open = ['https://example.com/files/abc', 'https://youtu.be/x', 'data:image/png;base64,AAAA']
    open.push('https://generativelanguage.googleapis.com.evil.test/v1beta/files/abc')
    for (const text of open)
      expect([normalizeFileAddress(text), normalizePrivateAddress(text)], text).toEqual([undefined, undefined])
    expect(normalizeFileAddress('gs://bucket/a.pdf')).toBe('gs://bucket/a.pdf')
    expect([normalizeFileAddress('iVBORw0KGgo='), normalizePrivateAddress('abc')]).toEqual([undefined, 'abc'])
  })

  it('are no items that hold all they say, and no arguments of a tool', () => {
    const named = (input: object[]) => findProviderObjects({ input }, responsesObjectPlaces.request)
    const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"file_id":"file-1"}' }
    const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] }
    const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }
    expect(named([call, said, sealed, { role: 'user', content: 'x' }])).toBeUndefined()
    const kept = [
      { id: 'msg_2' },
      { type: 'reasoning', id: 'rs_2', summary: [] },
      { type: 'image_generation_call', id: 'ig_2' },
    ]
    expect(named(kept)?.map(({ id }) => id)).toEqual(['msg_2', 'rs_2', 'ig_2'])
    const texts = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] }
    expect(named([{ ...texts, id: 'rs_3' }])).toBeUndefined()
    expect(named([{ ...texts, id: `rs_${'0f'.repeat(25)}` }])).toHaveLength(1)
  })
})
