// A presented key is parsed once: no form of a hash, a mask or a part of a key grants access.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { maskKeyText } from '../../core/tokens/token.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const IMPORTED = 'sk-a-key-that-came-as-its-hash'
const digest = createHash('sha256').update(IMPORTED).digest('hex')
/** What earlier releases stored in place of a key that they had no more of. */
const standIn = (hash: string) => `sha256:${hash}`
const PREFIXES = ['', 'sk-', 'sk-sk-', 'sk-sk-sk-']

/** Every place in which a key may stand. */
const PLACES: Record<string, (text: string) => { headers?: Record<string, string>; query?: string }> = {
  'authorization, as bearer': (text) => ({ headers: { authorization: `Bearer ${text}` } }),
  'authorization, twice a bearer': (text) => ({ headers: { authorization: `Bearer Bearer ${text}` } }),
  'authorization, alone': (text) => ({ headers: { authorization: text } }),
  'x-api-key': (text) => ({ headers: { 'x-api-key': text } }),
  'x-goog-api-key': (text) => ({ headers: { 'x-goog-api-key': text } }),
  'mj-api-secret': (text) => ({ headers: { 'mj-api-secret': text } }),
  'sec-websocket-protocol': (text) => ({
    headers: { 'sec-websocket-protocol': `realtime, openai-insecure-api-key.${text}` },
  }),
  'the address': (text) => ({ query: `key=${encodeURIComponent(text)}` }),
}

describeWithGateway('a presented key', (weir) => {
  const statusOf = async (place: (typeof PLACES)[string], text: string, path = '/v1/models') => {
    const { headers = {}, query } = place(text)
    return (await send('GET', `${weir.url}${path}${query ? `?${query}` : ''}`, { headers })).status
  }

  it('opens nothing where it is a hash, a mask or a part of a key, with whatever stands before it', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { tokens } = weir.gateway.ports.storage
    const { id: _id, ...whole } = (await tokens.find(ada.token.id))!
    await tokens.insert({ ...whole, key: '', key_digest: digest, name: 'imported', slug: undefined })
    const forms = [
      standIn(digest),
      digest,
      `${standIn(digest)}-1`,
      standIn(standIn(digest)),
      maskKeyText(whole.key),
      whole.key.slice(0, -1),
      `${whole.key}x`,
      weir.gateway.ports.secrets.hash(whole.key),
      weir.gateway.ports.secrets.hash(digest),
      `unknown ${ada.token.id + 1}`,
      weir.gateway.ports.secrets.hash(standIn(digest)),
    ]
    const opened: string[] = []
    for (const [name, place] of Object.entries(PLACES)) {
      for (const prefix of PREFIXES) {
        for (const form of forms) {
          if ((await statusOf(place, prefix + form)) !== 401) opened.push(`${name}: ${prefix}${form}`)
        }
      }
    }
    for (const prefix of PREFIXES) {
      for (const form of forms) {
        const text = encodeURIComponent(prefix + form)
        const { json } = await send('GET', `${weir.url}/api/log/token?key=${text}`)
        if (json.success) opened.push(`the log of a key: ${prefix}${form}`)
      }
    }
    expect(opened).toEqual([])
  })

  it('opens in every place where it is the key itself, also one that came as its hash', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello'))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    for (const [name, place] of Object.entries(PLACES)) {
      if (name.includes('twice')) continue
      expect([await statusOf(place, ada.key), await statusOf(place, ada.key.replace(/^sk-/, ''))], name).toEqual([
        200, 200,
      ])
    }
    const { tokens } = weir.gateway.ports.storage
    const { id: _id, ...whole } = (await tokens.find(ada.token.id))!
    const other = `${IMPORTED}-of-another`
    const stored = createHash('sha256').update(other).digest('hex')
    await tokens.insert({ ...whole, key: '', key_digest: stored, name: 'imported', slug: undefined })
    expect(await statusOf(PLACES['x-api-key']!, other)).toBe(200)
    for (const text of [stored, standIn(stored)]) expect(await statusOf(PLACES['x-api-key']!, text)).toBe(401)
  })
})
