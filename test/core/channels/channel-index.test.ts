// The channel index follows every change.
import { expect, test, vi } from 'vitest'
import { createChannelIndex } from '../../../core/channels/channel-index.ts'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { CallerDialect } from '../../../core/dialects/dialect.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiImageVariations } from '../../../core/dialects/media/openai-images.ts'
import { openaiEmbeddings } from '../../../core/dialects/embeddings/openai-embeddings.ts'
import { rerank } from '../../../core/dialects/embeddings/rerank.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { newChannel } from '../../storage/samples.ts'

describeWithStorage('the channel index', (open, kind) => {
  test('holds enabled channels by group and model', async () => {
    const storage = await open()
    await storage.channels.insert([
      newChannel({ name: 'one', models: 'a, b ,,a', group: 'default,vip' }),
      newChannel({ name: 'two', models: 'b,c', group: 'vip' }),
      newChannel({ name: 'off', models: 'a,z', group: 'default', status: 2 }),
      newChannel({ name: 'failed', models: 'a,z', group: 'default', status: 3 }),
    ])
    const index = await createChannelIndex(storage)
    const names = (group: string, model: string) => index.candidates(group, model).map(({ name }) => name)
    expect(names('default', 'a')).toEqual(['one'])
    expect(names('vip', 'b')).toEqual(['one', 'two'])
    expect(names('default', 'c')).toEqual([])
    expect(names('nobody', 'a')).toEqual([])
    expect(names('constructor', 'toString')).toEqual([])
    expect(index.models(['default'])).toEqual(['a', 'b'])
    expect(index.models(['vip', 'default'])).toEqual(['a', 'b', 'c'])
    expect(index.allModels()).toEqual(['a', 'b', 'c'])
    expect(index.find(3)?.name).toBe('off')
  })

  test('offers a call only channels whose provider has a door for it', async () => {
    const storage = await open()
    await storage.channels.insert([
      newChannel({ name: 'all', type: 1, models: 'm' }),
      newChannel({ name: 'ranks and embeds', type: 38, models: 'm' }),
      newChannel({ name: 'chats', type: 14, models: 'm' }),
      newChannel({ name: 'maps to another model', type: 1, models: 'm', model_mapping: '{"m":"gpt-4o"}' }),
      newChannel({ name: 'nobody', type: 999, models: 'm' }),
    ])
    const index = await createChannelIndex(storage)
    const names = (asked?: CallerDialect) =>
      index.tiers('default', 'm', asked).flatMap(({ channels }) => channels.map(({ name }) => name))
    expect(names()).toHaveLength(5)
    const first = 'maps to another model'
    expect(names(openaiChat)).toEqual(['all', 'chats', first])
    expect(names(anthropicMessages)).toEqual(names(openaiChat))
    expect(names(rerank)).toEqual(['all', 'ranks and embeds', first])
    expect(names(openaiImageVariations)).toEqual(['all', first])
    await storage.channels.update(2, { type: 14 })
    await storage.announce({ topic: 'channels', id: 2 })
    expect(names(rerank)).toEqual(['all', first])
    expect(names(openaiChat)).toHaveLength(4)
  })

  test('offers a call a channel with several keys if there is an endpoint for one of them', async () => {
    const storage = await open()
    const hunyuan = { type: 23, models: 'm', key_mode: 'turn' } as const
    await storage.channels.insert([
      newChannel({ ...hunyuan, name: 'both kinds of keys', key: 'app|id|key\nplain' }),
      newChannel({ ...hunyuan, name: 'plain keys', key: 'plain\nother' }),
      newChannel({ ...hunyuan, name: 'signing keys, which only chat', key: 'app|id|key\napp|id|other' }),
    ])
    const index = await createChannelIndex(storage)
    const names = (asked: CallerDialect) =>
      index.tiers('default', 'm', asked).flatMap(({ channels }) => channels.map(({ name }) => name))
    expect(names(openaiChat)).toHaveLength(3)
    expect(names(openaiEmbeddings)).toEqual(['both kinds of keys', 'plain keys'])
  })

  test('is new when the announcement of a change resolves', async () => {
    const storage = await open()
    const index = await createChannelIndex(storage)
    const [made] = await storage.channels.insert([newChannel({ models: 'a' })])
    const id = made?.id ?? 0
    const changed = () => storage.announce({ topic: 'channels', id })
    await changed()
    expect(index.candidates('default', 'a')).toHaveLength(1)
    await storage.channels.update(id, { models: 'b' })
    await changed()
    expect(index.allModels()).toEqual(['b'])
    await storage.channels.update(id, { status: 3 })
    await changed()
    expect(index.allModels()).toEqual([])
    await storage.channels.deleteMany({ ids: [id] })
    await changed()
    expect(index.find(id)).toBeUndefined()
  })

  test('reads the JSON of a channel once, and takes bad JSON for none', async () => {
    const storage = await open()
    await storage.channels.insert([
      newChannel({
        model_mapping: '{"a": "b", "c": 5}',
        status_code_mapping: '{"400": "500", "401": "no", "402": "99", "403": 200}',
        param_override: '{"temperature": 0}',
        setting: '{"proxy": "http://127.0.0.1:1", "own": 1}',
      }),
      newChannel({ model_mapping: '{', status_code_mapping: '[]', param_override: 'null', setting: '7' }),
    ])
    const index = await createChannelIndex(storage)
    expect(index.find(1)).toMatchObject({
      ...{ mapping: { a: 'b' }, status_mapping: { 400: 500, 403: 200 }, override: { temperature: 0 } },
      settings: { proxy: 'http://127.0.0.1:1', own: 1 },
    })
    expect(index.find(2)).toMatchObject({ mapping: {}, status_mapping: {}, override: {}, settings: {} })
  })

  if (kind === 'postgres') {
    test('hears of changes of other processes', async () => {
      const [here, there] = [await open(), await open()]
      const index = await createChannelIndex(there)
      await here.channels.insert([newChannel({ models: 'a' })])
      await here.announce({ topic: 'channels', id: 0 })
      await vi.waitFor(() => expect(index.allModels()).toEqual(['a']), { timeout: 5000 })
    })
  }
})
