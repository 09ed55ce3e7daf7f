// Calls about several channels, and the data that providers return about themselves.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import { describeImpact } from '../../../core/channels/impact.ts'
import { refusal as refused, whole, type MemoryReply } from '../../support/memory-upstream.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'

let gateway: MemoryGateway
let admin: Caller
beforeEach(async () => {
  gateway = await openMemoryGateway()
  admin = await gateway.as('admin')
})
afterEach(() => gateway.close())

const form = { name: 'main', type: 1, key: 'upstream-secret', models: 'gpt-4o', base_url: 'http://provider.test' }
const create = async (fields: object = {}) =>
  ((await gateway.ask(admin, 'channels.create', { ...form, ...fields })) as Channel[])[0] as Channel
const ask = (name: string, input: object = {}) => gateway.ask(admin, `channels.${name}`, { ...input })
const refusal = (name: string, input: object = {}) => gateway.refusal(admin, `channels.${name}`, { ...input })
const get = (id: number) => ask('get', { id }) as Promise<Channel>
const json = (value: unknown): MemoryReply => ({ parts: [JSON.stringify(value)] })

test('a page of tag mode has so many tags, each with all its channels', async () => {
  await create({ tag: 'blue' })
  await create({ tag: 'red' })
  await create({ tag: 'blue' })
  await create()
  const ids = async (input: object) =>
    ((await ask('list', { tag_mode: 'true', ...input })) as { data: Channel[] }).data.map(({ id }) => id)
  expect(await ids({ page_size: 1 })).toEqual([3, 1])
  expect(await ids({ p: 1, page_size: 1 })).toEqual([2])
  // Those of no tag come last, as one more.
  expect(await ids({ p: 2, page_size: 1 })).toEqual([4])
  expect(await ask('list', { tag_mode: 'true', page_size: 2 })).toMatchObject({ total: 3 })
  const found = (await ask('search', { keyword: '1', tag_mode: '1', group: 'null' })) as Channel[]
  expect(found.map(({ id }) => id)).toEqual([3, 1])
  const alone = (await ask('search', { keyword: '4', tag_mode: '1' })) as Channel[]
  expect(alone.map(({ id }) => id)).toEqual([4])
  expect(JSON.stringify(found)).not.toContain('upstream-secret')
})

test('all channels of a tag are changed at once; what is empty stays', async () => {
  await create({ tag: 'blue', models: 'gpt-4o,o3' })
  await create({ tag: 'blue', priority: 1 })
  const change = { tag: 'blue', models: '', groups: 'default,vip', priority: 7, weight: null }
  expect(await ask('updateTag', change)).toBe(2)
  expect(await get(1)).toMatchObject({ models: 'gpt-4o,o3', group: 'default,vip', priority: 7, tag: 'blue' })
  expect(await ask('updateTag', { tag: 'blue', new_tag: 'green', model_mapping: '{"a":"b"}' })).toBe(2)
  expect(await get(2)).toMatchObject({ tag: 'green', model_mapping: '{"a":"b"}', priority: 7 })
  expect(await refusal('updateTag', { tag: 'green', model_mapping: '{"a":"b","b":"a"}' })).toBe('mapping.cycle')
  expect(await refusal('updateTag', { tag: 'green', model_mapping: '{' })).toBe('json.invalid')
  await ask('updateTag', { tag: 'green', new_tag: '' })
  expect((await get(1)).tag).toBeNull()
  for (const name of ['updateTag', 'enableTag', 'disableTag']) {
    expect(await refusal(name)).toBe('channel.tag_empty')
    const change = name === 'updateTag' ? { weight: 5 } : {}
    expect(await refusal(name, { tag: 'nobody', ...change })).toBe('channel.tag_unknown')
  }
  await create({ tag: 'red', models: 'o3,gpt-4o', priority: 2 })
  for (const same of [{}, { priority: 2 }, { models: ' o3, gpt-4o,' }, { new_tag: 'red' }, { weight: null }]) {
    expect(await refusal('updateTag', { tag: 'red', ...same })).toBe('channel.no_changes')
  }
  expect(await refusal('updateTag', { tag: 'red', groups: 'nowhere' })).toBe('group.unknown')
})

test('each channel of a tag keeps what is its own: models are added and removed, settings merged', async () => {
  await create({ tag: 'blue', models: 'gpt-4o,o3', setting: '{"force_format":true,"headers":{"X-A":"secret"}}' })
  await create({ tag: 'blue', models: 'gpt-4.1' })
  expect(await ask('updateTag', { tag: 'blue', add_models: 'gpt-5,o3', remove_models: 'gpt-4o' })).toBe(2)
  expect([(await get(1)).models, (await get(2)).models]).toEqual(['o3,gpt-5', 'gpt-4.1,gpt-5,o3'])
  const setting = '{"system_prompt":"Be brief.","force_format":null}'
  expect(await ask('updateTag', { tag: 'blue', setting })).toBe(2)
  expect(JSON.parse((await get(1)).setting)).toEqual({ headers: { 'X-A': '***' }, system_prompt: 'Be brief.' })
  expect(JSON.parse((await get(2)).setting)).toEqual({ system_prompt: 'Be brief.' })
  const plain = { status_code_mapping: '{"400":"500"}', param_override: '{"temperature":0}', test_model: 'gpt-5' }
  const numbers = { auto_ban: 0, max_input_tokens: 1000, openai_organization: 'org' }
  expect(await ask('updateTag', { tag: 'blue', ...plain, ...numbers })).toBe(2)
  expect(await get(1)).toMatchObject({ ...plain, ...numbers })
  expect(await get(2)).toMatchObject({ ...plain, ...numbers })
  // Nothing of a tag changes where one channel cannot: its last model, a key that would go elsewhere, a wrong value.
  expect(await refusal('updateTag', { tag: 'blue', remove_models: 'o3,gpt-5' })).toBe('channel.no_models')
  expect(await refusal('updateTag', { tag: 'blue', setting: '{"proxy":"http://p.example:1"}' })).toBe(
    'channel.key_again',
  )
  expect(await refusal('updateTag', { tag: 'blue', setting: '{"idle_timeout_seconds":-1}' })).not.toBe('')
  expect((await get(2)).models).toBe('gpt-4.1,gpt-5,o3')
  expect(await refusal('updateTag', { tag: 'blue', add_models: 'o3' })).toBe('channel.no_changes')
  await ask('updateTag', { tag: 'blue', test_model: '', setting: '{"system_prompt":null}' })
  expect(await get(2)).toMatchObject({ test_model: '', setting: '' })
})

test('a tag is switched off and on as a whole', async () => {
  const served = () => ask('modelsEnabled')
  await create({ tag: 'blue' })
  await create({ tag: 'red', models: 'o3' })
  expect(await ask('disableTag', { tag: 'blue' })).toBe(1)
  expect(await served()).toEqual(['o3'])
  await gateway.storage.channels.update(1, { other_info: '{"status_reason":"401"}' })
  await ask('enableTag', { tag: 'blue' })
  expect(await served()).toEqual(['gpt-4o', 'o3'])
  expect((await get(1)).other_info).toBe('')
})

test('several are switched off and on at once, with the keys that were off by themselves', async () => {
  for (let made = 0; made < 3; made++) await create({ key: 'one\ntwo', key_mode: 'random' })
  expect(await ask('switchMany', { ids: [1, 2, 99], status: 2 })).toBe(2)
  expect([(await get(1)).status, (await get(2)).status, (await get(3)).status]).toEqual([2, 2, 1])
  await gateway.storage.channels.update(2, { status: 3, other_info: '{"status_reason":"401"}' })
  expect(await ask('switchMany', { ids: [2], status: 1 })).toBe(1)
  expect(await get(2)).toMatchObject({ status: 1, other_info: '' })
  expect(await ask('switchMany', { status: 1 })).toBe(0)
})

test('several are tagged, deleted, and deleted because they are off', async () => {
  for (let made = 0; made < 4; made++) await create()
  expect(await ask('tagMany', { ids: [1, 2], tag: 'blue' })).toBe(2)
  expect(await ask('tagMany', { ids: [2], tag: null })).toBe(1)
  expect([(await get(1)).tag, (await get(2)).tag]).toEqual(['blue', null])
  expect(await refusal('tagMany', { tag: 'x' })).toBe('channel.none_to_tag')
  for (const tag of ['', ' ']) expect(await refusal('tagMany', { ids: [1], tag })).toBe('channel.tag_empty')
  expect(await refusal('deleteMany')).toBe('channel.none_to_delete')
  await ask('update', { id: 1, status: 2 })
  await gateway.storage.channels.update(2, { status: 3 })
  expect(await ask('deleteDisabled')).toBe(2)
  expect(await ask('deleteMany', { ids: [3, 3, 99] })).toBe(1)
  expect(((await ask('list')) as { data: Channel[] }).data.map(({ id }) => id)).toEqual([4])
})

test('says which models lose their only channel, by group, before channels are switched off', async () => {
  await create({ models: 'gpt-4o,o3', group: 'default,vip', tag: 'blue' })
  await create({ models: 'gpt-4o', group: 'default' })
  await create({ models: 'o3', group: 'default', status: 2, tag: 'blue' })
  await ask('update', { id: 3, status: 2 })
  await create({ models: 'o3,gpt-4o-latest', group: 'vip', tag: 'blue' })
  const lost = (input: object) => ask('consequences', input)
  expect(await lost({ ids: [1] })).toEqual({ serving: 1, lost: [{ group: 'default', models: ['o3'] }] })
  // The other names of one model stand in for each other.
  expect(await lost({ ids: [2, 3, 77] })).toEqual({ serving: 1, lost: [] })
  expect(await lost({ tag: 'blue' })).toEqual({
    serving: 2,
    lost: [
      { group: 'default', models: ['o3'] },
      { group: 'vip', models: ['gpt-4o', 'gpt-4o-latest', 'o3'] },
    ],
  })
  expect(await lost({ ids: [1, 2, 3, 4] })).toMatchObject({ serving: 3, lost: [{ models: ['gpt-4o', 'o3'] }, {}] })
  expect(await lost({})).toEqual({ serving: 0, lost: [] })
  expect(await refusal('consequences', { tag: 'nobody' })).toBe('channel.tag_unknown')
  const many = Array.from({ length: 12 }, (_, at) => `m${at}`)
  const said = describeImpact({
    lost: [
      { group: 'vip', models: ['o3'] },
      { group: 'default', models: many },
    ],
  })
  expect(said.map(({ en }) => en)).toEqual([
    '1 model loses its only channel in the group vip: o3.',
    '12 models lose their only channel in the group default: m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 2 more.',
  ])
  expect(said[0]?.zh).toBe('分组 vip 中有 1 个模型失去唯一的渠道：o3。')
})

test('a copy has the key and all settings, and a history of its own', async () => {
  await create({ tag: 'blue', priority: 3, model_mapping: '{"a":"b"}' })
  await gateway.storage.channels.update(1, { balance: 5, response_time: 100, test_time: 1 })
  const { name, ...copied } = (await ask('copy', { id: 1 })) as Channel
  expect(name).toBe('main copy')
  const original = await get(1)
  expect(copied).toEqual({
    ...{ ...original, name: undefined },
    ...{ id: 2, slug: 'main-copy', balance: 0, response_time: 0, test_time: 0, created_time: 1_760_000_000 },
  })
  expect((await gateway.storage.channels.find(2))?.key).toBe('upstream-secret')
  expect(await refusal('copy', { id: 77 })).toBe('channel.missing')
})

test('a repair tidies lists and reads every channel anew', async () => {
  await create({ models: ' gpt-4o,,o3, gpt-4o ' })
  expect((await get(1)).models).toBe('gpt-4o,o3')
  await create()
  await gateway.storage.channels.update(2, { models: 'o4-mini' })
  await gateway.storage.channels.update(1, { models: 'gpt-4o, gpt-4o,,o3 ' })
  expect(await ask('repair')).toBe(1)
  expect((await get(1)).models).toBe('gpt-4o,o3')
  expect(await ask('modelsEnabled')).toEqual(['gpt-4o', 'o3', 'o4-mini'])
  expect(await ask('repair')).toBe(0)
})

test('models are listed by type, and as a provider lists them', async () => {
  const all = (await ask('models')) as { id: string }[]
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(['gpt-4o', 'deepseek-chat']))
  expect((await ask('modelsByType')) as object).toHaveProperty('43')
  await create({ type: 24 })
  gateway.upstream.reply(json({ models: [{ name: 'models/gemini-x' }, { name: 'models/gemini-x' }, { name: 5 }] }))
  expect(await ask('fetchModels', { id: 1 })).toEqual(['gemini-x'])
  gateway.upstream.reply(json({ data: [{ id: 'theirs' }] }))
  expect(await ask('fetchModelsNew', { base_url: 'http://other.test/v1/', type: 1, key: ' one \ntwo' })).toEqual([
    'theirs',
  ])
  // The way that calls of such a channel would go: to private addresses too.
  expect(gateway.upstream.requests).toMatchObject([
    { url: 'http://provider.test/v1beta/models?pageSize=1000' },
    { url: 'http://other.test/v1/models', headers: { authorization: 'Bearer one' } },
  ])
  expect(gateway.web.requests).toEqual([])
  for (const key of ['', ' \n ']) expect(await refusal('fetchModelsNew', { type: 1, key })).toBe('channel.key')
  expect(await refusal('fetchModelsNew', { base_url: 'file:///etc', type: 1, key: 'x' })).toBe('field.address')
  for (const answer of [refused(401, 'bad key'), json({ things: [] }), { parts: ['<html>'] }]) {
    gateway.upstream.reply(answer)
    expect(await refusal('fetchModels', { id: 1 })).toBe('channel.fetch_models')
  }
})

test('a list of models that never ends is not read to its end', async () => {
  await create()
  const models = JSON.stringify({ data: [{ id: 'theirs' }] })
  const mebibyte = ' '.repeat(1024 * 1024)
  const padded = (count: number): MemoryReply => ({ parts: [...Array<string>(count).fill(mebibyte), models] })
  gateway.upstream.reply(padded(7))
  expect(await ask('fetchModels', { id: 1 })).toEqual(['theirs'])
  gateway.upstream.reply(padded(8))
  expect(await refusal('fetchModels', { id: 1 })).toBe('channel.fetch_models')
  expect(gateway.upstream.open).toBe(0)
})

test('a balance is told by those who tell it', async () => {
  await create({ type: 43 })
  const told = json({
    balance_infos: [
      { currency: 'USD', total_balance: '1.00' },
      { currency: 'CNY', total_balance: '7.25' },
    ],
  })
  gateway.upstream.reply(told)
  expect(await ask('updateBalance', { id: 1 })).toEqual({ data: null, balance: 7.25 })
  expect(await get(1)).toMatchObject({ balance: 7.25, balance_updated_time: 1_760_000_000 })
  await create({ type: 14 })
  expect(await refusal('updateBalance', { id: 2 })).toBe('channel.balance_unsupported')
  gateway.upstream.reply(refused(500))
  expect(await refusal('updateBalance', { id: 1 })).toBe('upstream.refused')
})

test('all balances are asked for, and who has nothing left is switched off', async () => {
  await create({ type: 40, name: 'empty', base_url: 'http://empty.test' })
  await create({ type: 1, name: 'full' })
  await create({ type: 14, name: 'silent' })
  gateway.upstream.reply(({ host, url }) => {
    if (host === 'empty.test') return json({ code: 20000, data: { totalBalance: '-0.5' } })
    return url.includes('subscription') ? json({ hard_limit_usd: 20 }) : json({ total_usage: 1250 })
  })
  expect(await ask('updateBalances')).toEqual({ updated: 2, failed: 1 })
  expect(await get(1)).toMatchObject({ status: 3, balance: -0.5 })
  expect(JSON.parse((await get(1)).other_info)).toMatchObject({ status_reason: 'Balance used up' })
  expect(await get(2)).toMatchObject({ status: 1, balance: 7.5 })
})

test('all channels that nobody switched off are tested in the background, one run at a time', async () => {
  await gateway.as('root')
  for (const status of [1, 2, 3]) {
    const { id } = await create()
    await gateway.storage.channels.update(id, { status })
  }
  gateway.upstream.reply(whole('hi'))
  await ask('testAll')
  expect(await refusal('testAll')).toBe('channel.testing')
  const { logs } = gateway.storage
  const notices = async () =>
    (await logs.list({ type: 4 }, { offset: 0, limit: 10 })).items.map(({ content }) => content)
  await vi.waitFor(async () => expect(await notices()).toContain('All channels were tested: 2 of 2 passed'))
  expect(gateway.upstream.requests).toHaveLength(2)
  const entries = await gateway.storage.entries.list({ account_id: 1 }, { offset: 0, limit: 10 })
  expect(entries.items.filter(({ kind }) => kind === 'charge')).toEqual([])
  expect((await logs.list({ type: 2 }, { offset: 0, limit: 10 })).total).toBe(0)
  const { items } = await logs.list({ type: 4, token_name: 'model test' }, { offset: 0, limit: 10 })
  expect(items.map(({ content, channel }) => [content, channel])).toEqual([
    ['model test', 3],
    ['model test', 1],
  ])
  await ask('testAll')
})
