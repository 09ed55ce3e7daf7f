// The places where a client may send its API key, and their precedence.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

describeWithGateway('an API key', (weir) => {
  const ask = (headers: Record<string, string>, query = '') =>
    send('POST', `${weir.url}/v1/chat/completions${query}`, {
      headers,
      body: { model: weir.model, messages: [{ role: 'user', content: 'Hello' }] },
    })

  it('is taken from wherever a client has it, with and without its prefixes', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const bare = ada.key.replace('sk-', '')
    for (const key of [ada.key, bare, `Bearer ${ada.key}`]) {
      for (const header of ['authorization', 'x-api-key', 'x-goog-api-key', 'mj-api-secret']) {
        expect((await ask({ [header]: key })).status, `${header}: ${key}`).toBe(200)
      }
    }
    expect((await ask({}, `?key=${ada.key}`)).status).toBe(200)
    expect(await ada.logs()).toHaveLength(13)
    const told = weir.upstream.requests.map(({ headers, path }) => JSON.stringify([headers, path]))
    expect(told.filter((text) => text.includes(bare) || text.includes('mj-api-secret'))).toEqual([])
  })

  it('stands in mj-api-secret where a drawing client says that its authorization is none', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    expect((await ask({ authorization: 'midjourney-proxy', 'mj-api-secret': ada.key })).status).toBe(200)
    expect((await ask({ authorization: 'midjourney-proxy' })).status).toBe(401)
    expect((await ask({ 'mj-api-secret': 'sk-nobody' })).status).toBe(401)
    // Anything else in it is a key, and the first that is there counts.
    expect((await ask({ authorization: 'Bearer sk-nobody', 'mj-api-secret': ada.key })).status).toBe(401)
    expect(await ada.logs()).toHaveLength(1)
  })
})
