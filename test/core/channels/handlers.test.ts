// The channel endpoints: keys go in and never out, and nothing is saved that no call could use.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import { getSampleKey } from '../../support/channel-keys.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import { refusal as refused, whole } from '../../support/memory-upstream.ts'

let gateway: MemoryGateway
let admin: Caller
beforeEach(async () => {
  gateway = await openMemoryGateway()
  admin = await gateway.as('admin')
})
afterEach(() => gateway.close())

const SECRET = 'upstream-secret'
const form = { name: 'main', type: 1, key: SECRET, models: 'gpt-4o' }
const create = async (fields: object = {}) =>
  (await gateway.ask(admin, 'channels.create', { ...form, ...fields })) as Channel[]
const update = (fields: object) => gateway.ask(admin, 'channels.update', { ...fields }) as Promise<Channel>
const refusal = (name: string, input: object) => gateway.refusal(admin, `channels.${name}`, { ...input })

describe('a channel', () => {
  test('is made for each line of its key, and shows none of them', async () => {
    const made = await create({ key: ` one \n\ntwo\r\n` })
    expect(made.map(({ id }) => id)).toEqual([1, 2])
    expect((await gateway.storage.channels.all()).map(({ key }) => key)).toEqual(['one', 'two'])
    for (const name of ['list', 'search']) {
      const reply = JSON.stringify(await gateway.ask(admin, `channels.${name}`))
      expect(reply).not.toMatch(/"key"|two/)
    }
    expect(await gateway.ask(admin, 'channels.get', { id: 1 })).not.toHaveProperty('key')
  })

  test('serves calls from the moment it is saved until it is switched off or deleted', async () => {
    const served = async () => (await gateway.ask(admin, 'channels.modelsEnabled')) as string[]
    await create()
    expect(await served()).toEqual(['gpt-4o'])
    await update({ id: 1, models: 'o3,gpt-4o' })
    expect(await served()).toEqual(['gpt-4o', 'o3'])
    await update({ id: 1, status: 2 })
    expect(await served()).toEqual([])
    await update({ id: 1, status: 1 })
    await gateway.ask(admin, 'channels.delete', { id: 1 })
    expect(await served()).toEqual([])
  })

  test.each([
    ['channel.name_key', { name: ' ' }],
    ['channel.name_key', { key: ' \n ' }],
    ['channel.no_models', { models: ' , ' }],
    ['channel.type_unknown', { type: 9999 }],
    ['mapping.cycle', { model_mapping: '{"a": "b", "b": "a"}' }],
    ['json.invalid', { model_mapping: '{' }],
    ['json.invalid', { model_mapping: '["a"]' }],
    ['mapping.values', { model_mapping: '{"a": 5}' }],
    ['json.invalid', { param_override: '[]' }],
    ['channel.status_mapping', { status_code_mapping: '{"400": "oops"}' }],
    ['channel.status_mapping', { status_code_mapping: '{"400": 99}' }],
    ['channel.status_mapping', { status_code_mapping: '{"4xx": "500"}' }],
    ['json.invalid', { setting: 'no' }],
    ['request.invalid', { priority: 1.5 }],
    ['request.invalid', { weight: -1 }],
  ])('is refused with %s: %j', async (code, wrong) => {
    expect(await refusal('create', { ...form, ...wrong })).toBe(code)
    const [field] = Object.keys(wrong)
    await expect(gateway.ask(admin, 'channels.create', { ...form, ...wrong })).rejects.toMatchObject({ field })
    await create()
    if (code !== 'channel.name_key') expect(await refusal('update', { id: 1, ...wrong })).toBe(code)
    expect(await gateway.storage.channels.all()).toHaveLength(1)
  })

  test('may map statuses, written as texts or as numbers', async () => {
    await create({ status_code_mapping: '{"400": "500", "429": 503}' })
    expect(await update({ id: 1, status_code_mapping: '{}' })).toMatchObject({ status_code_mapping: '{}' })
  })

  test('tested in no time at all has been tested', async () => {
    await create({ base_url: 'http://provider.test/' })
    gateway.upstream.reply(whole('hi', { prompt_tokens: 1, completion_tokens: 1 }))
    await gateway.ask(admin, 'channels.test', { id: 1 })
    expect(await gateway.ask(admin, 'channels.get', { id: 1 })).toMatchObject({ response_time: 1 })
  })

  test('may leave its JSON texts blank', async () => {
    await create({ model_mapping: ' ', status_code_mapping: '\n', param_override: '', setting: ' ' })
    expect(await update({ id: 1, name: 'other' })).toMatchObject({ name: 'other' })
  })

  test('with only the required fields has no priority, tag or limits, and is disabled when its key fails', async () => {
    const [made] = await create()
    const texts = ['openai_organization', 'base_url', 'other', 'model_mapping', 'status_code_mapping', 'param_override']
    expect(made).toMatchObject({
      ...Object.fromEntries([...texts, 'setting', 'test_model', 'remark', 'key_mode'].map((name) => [name, ''])),
      ...{ status: 1, group: 'default', tag: null, priority: 0, weight: 0, auto_ban: 1, max_input_tokens: 0 },
    })
  })

  test('keeps its key and everything else that a change does not name', async () => {
    await create({ priority: 7, tag: 'eu' })
    const before = await gateway.ask(admin, 'channels.get', { id: 1 })
    expect(await update({ id: 1, name: 'new', key: ' ' })).toEqual({ ...(before as Channel), name: 'new', version: 2 })
    expect((await gateway.storage.channels.find(1))?.key).toBe(SECRET)
    await update({ id: 1, key: ' other ' })
    expect((await gateway.storage.channels.find(1))?.key).toBe('other')
  })

  test('that is enabled again forgets why it was switched off', async () => {
    await create()
    await gateway.storage.channels.update(1, { status: 3, other_info: '{"status_reason": "401"}' })
    expect(await update({ id: 1, status: 1 })).toMatchObject({ status: 1, other_info: '' })
  })

  test('is tested by the smallest call, which costs nobody anything', async () => {
    await create({ base_url: 'http://provider.test/' })
    gateway.upstream.reply(async () => {
      gateway.clock.advance(250)
      return whole('hi', { prompt_tokens: 1, completion_tokens: 1 })
    })
    expect(await gateway.ask(admin, 'channels.test', { id: 1 })).toEqual({ data: null, time: 0.25 })
    expect(gateway.upstream.requests).toMatchObject([
      { host: 'provider.test', json: { model: 'gpt-4o', max_tokens: 16 } },
    ])
    expect(await gateway.ask(admin, 'channels.get', { id: 1 })).toMatchObject({ response_time: 250, used_quota: 0 })
    gateway.upstream.reply(refused(401, 'bad key'))
    expect(await refusal('test', { id: 1 })).toBe('channel.test_failed')
  })

  test('that passed a test is noted in the log of the super administrator, and nobody has consumed anything', async () => {
    const { user: root } = await gateway.as('root')
    await create({ base_url: 'http://provider.test/', model_mapping: '{"gpt-4o": "gpt-4o-2024-11-20"}' })
    gateway.upstream.reply(async () => {
      gateway.clock.advance(1900)
      return whole('hi', { prompt_tokens: 100, completion_tokens: 10 })
    })
    await gateway.ask(admin, 'channels.test', { id: 1 })
    gateway.upstream.reply(refused(401, 'bad key'))
    await refusal('test', { id: 1 })
    const consumed = async () => (await gateway.storage.logs.list({ type: 2 }, { offset: 0, limit: 9 })).total
    expect(await consumed()).toBe(0)
    const { items } = await gateway.storage.logs.list({ type: 4 }, { offset: 0, limit: 9 })
    expect(items).toMatchObject([
      {
        ...{ user_id: root?.id, token_name: 'model test', content: 'model test', channel: 1, model_name: 'gpt-4o' },
        ...{ prompt_tokens: 100, completion_tokens: 10, quota: 0, use_time: 2, is_stream: false, group: 'default' },
      },
    ])
    expect(JSON.parse(items[0]?.other ?? '')).toMatchObject({
      ...{ model_ratio: 1.25, upstream_model_name: 'gpt-4o-2024-11-20', admin_info: { use_channel: ['1'] } },
    })
    expect(await gateway.storage.users.find(root?.id ?? 0)).toMatchObject({ quota: 0, used_quota: 0, request_count: 0 })
    const options = [{ key: 'LogConsumeEnabled', value: 'false' }]
    await gateway.ask(await gateway.as('root'), 'settings.update', { options })
    gateway.upstream.reply(whole('hi', { prompt_tokens: 1, completion_tokens: 1 }))
    await gateway.ask(admin, 'channels.test', { id: 1 })
    expect((await gateway.storage.logs.list({ type: 4 }, { offset: 0, limit: 9 })).total).toBe(1)
  })

  test('of every offered type can be made', async () => {
    const types = (await gateway.ask(admin, 'channels.types')) as {
      type: number
      models: string[]
      name: string
      retired?: string
    }[]
    const offered = types.filter(({ retired }) => !retired)
    for (const { type, models, name } of offered) {
      const fields = { base_url: 'https://host', other: 'global', key: getSampleKey(type) }
      const [made] = await create({ type, name, models: models.join(',') || 'any', ...fields })
      expect(made?.type).toBe(type)
    }
    expect(await gateway.storage.channels.all()).toHaveLength(offered.length)
    expect(types.filter(({ retired }) => retired).map(({ type }) => type)).toEqual([11, 16, 44])
  })

  test('that lacks what its type must say is refused, but can be switched off where it exists', async () => {
    expect(await refusal('create', { ...form, type: 3 })).toBe('channel.base_url')
    expect(await refusal('create', { ...form, type: 49 })).toBe('channel.other')
    for (const other of ['', '{"gemini-2.5-pro":"us-east5"}', 'not a region']) {
      expect(await refusal('create', { ...form, type: 41, other })).toBe('channel.other')
    }
    const [made] = await create({ type: 41, key: getSampleKey(41), other: '{"default":"global"}' })
    expect(await refusal('update', { id: made!.id, other: '' })).toBe('channel.other')
    await gateway.storage.channels.update(made!.id, { other: '' })
    expect(await update({ id: made!.id, status: 2 })).toMatchObject({ status: 2, other: '' })
  })

  test('of a type whose service is gone is not made any more, but goes on where it exists', async () => {
    for (const type of [11, 16, 44]) {
      expect(await refusal('create', { name: 'old', type, key: 'k', models: 'm' })).toBe('channel.type_retired')
    }
    const [made] = await create({ name: 'plain', models: 'm' })
    expect(await refusal('update', { id: made!.id, type: 16 })).toBe('channel.type_retired')
    await gateway.storage.channels.update(made!.id, { type: 16 })
    const update = { id: made!.id, name: 'renamed' }
    expect(await gateway.ask(admin, 'channels.update', update)).toMatchObject({ type: 16, name: 'renamed' })
  })
})
