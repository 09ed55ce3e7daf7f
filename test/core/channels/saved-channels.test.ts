// A saved channel can work: unknown names in its setting, names in its JSON maps, the form of its keys, and its address
// are rejected or cleaned, for new and stored channels, through every interface.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import { channelSettingFields } from '../../../core/channels/setting-fields.data.ts'
import { allProviders } from '../../../core/providers/index.ts'
import { newChannel } from '../../storage/samples.ts'
import { getSampleKey } from '../../support/channel-keys.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'

let gateway: MemoryGateway
let admin: Caller
let root: Caller
beforeEach(async () => {
  gateway = await openMemoryGateway()
  admin = await gateway.as('admin')
  root = await gateway.as('root')
})
afterEach(() => gateway.close())

const form = { name: 'main', type: 1, key: 'k', models: 'gpt-4o' }
const create = async (fields: object = {}) =>
  ((await gateway.ask(admin, 'channels.create', { ...form, ...fields })) as Channel[])[0]!
const update = (fields: object) => gateway.ask(admin, 'channels.update', { ...fields }) as Promise<Channel>
const refusal = (name: string, input: object) => gateway.refusal(admin, `channels.${name}`, { ...input })

/** Refused when a channel is made, tried out, and changed. */
async function expectRefused(code: string, fields: object, valid: object = {}): Promise<void> {
  const what = JSON.stringify(fields)
  expect(await refusal('create', { ...form, ...valid, ...fields }), what).toBe(code)
  expect(await refusal('try', { ...form, ...valid, ...fields }), what).toBe(code)
  const { id } = await create(valid)
  expect(await refusal('update', { id, ...fields }), what).toBe(code)
}

describe('the setting of a channel', () => {
  test('refuses a misspelt name, and says which there are', async () => {
    await expectRefused('channel.setting_unknown', { setting: '{"prooxy": "http://127.0.0.1:9"}' })
    await expect(create({ setting: '{"prooxy": ""}' })).rejects.toThrow(/"prooxy".*proxy, headers/)
  })

  test('takes every declared name, and the switches of the sandbox', async () => {
    for (const [name, { example }] of Object.entries(channelSettingFields)) {
      const { id } = await create({ setting: JSON.stringify({ [name]: example }) })
      expect(await update({ id, name: 'renamed' })).toMatchObject({ name: 'renamed' })
    }
    await create({ type: 1000, key: '', setting: '{"sandbox": {"latency": 5}}' })
  })

  test('keeps an unknown name that is stored already', async () => {
    await gateway.storage.channels.insert([newChannel({ setting: '{"of_another_program": 1}' })])
    await gateway.storage.announce({ topic: 'channels', id: 0 })
    const [stored] = await gateway.storage.channels.all()
    const setting = '{"of_another_program": 2, "force_format": true}'
    expect(await update({ id: stored!.id, setting })).toMatchObject({ setting })
    expect(await refusal('update', { id: stored!.id, setting: '{"another": 1}' })).toBe('channel.setting_unknown')
  })

  test('is refused by a state file as well', async () => {
    const plan = (name: string) => {
      const main = { type: 'openai', models: ['m'], key: 'k', setting: { [name]: true } }
      return gateway.ask(root, 'state.plan', { document: { weir: 1, channels: { main } } })
    }
    await expect(plan('force_fromat')).rejects.toThrow(/force_fromat/)
    await plan('force_format')
  })
})

describe('names of the JSON maps of a channel', () => {
  const MAPS = {
    model_mapping: ['" a "', '"b"'],
    status_code_mapping: ['" 429 "', '"503"'],
    param_override: ['" temperature "', '0'],
    setting: ['" force_format "', 'true'],
  } as const

  test.each(Object.entries(MAPS))('lose the blanks around them: %s', async (field, [name, value]) => {
    const made = await create({ [field]: `{${name}: ${value}}` })
    const trimmed = JSON.stringify({ [(JSON.parse(name) as string).trim()]: JSON.parse(value) as unknown })
    expect(made[field as 'setting']).toBe(trimmed)
  })

  test.each(Object.entries(MAPS))('are refused twice, also with other blanks: %s', async (field, [name, value]) => {
    const plain = JSON.stringify((JSON.parse(name) as string).trim())
    await expectRefused('json.repeated_name', { [field]: `{${plain}: ${value}, ${name}: ${value}}` })
  })

  test('are told with line and column where the text is no JSON', async () => {
    const text = '{\n  "a": "b",\n}'
    await expect(create({ model_mapping: text })).rejects.toThrow('Not a valid JSON string: line 3, column 1')
  })
})

describe('the key of a channel', () => {
  const formed = allProviders.filter(({ hasKeyForm, retired }) => hasKeyForm && !retired)

  test.each(formed.map(({ name, type }) => [name, type] as const))(
    'of %s is refused in another form than its requests need, and accepted in its own',
    async (_, type) => {
      const valid = { type, key: getSampleKey(type), base_url: 'https://p.test', other: 'global', models: 'm' }
      for (const key of ['a||b', '|', 'a|b|c|d'])
        await expectRefused('channel.key_form', { key, base_url: 'https://p.test' }, valid)
      await expectRefused('channel.key_form', { key: `${getSampleKey(type)}\na||b`, key_mode: 'turn' }, valid)
      const { id } = await create(valid)
      expect(await gateway.refusal(admin, 'channels.addKeys', { id, key: 'a||b' })).toBe('channel.key_form')
    },
  )

  test('has a declared form at every provider whose key has parts', () => {
    const parted = allProviders.filter(({ fields }) => /[|{]/.test(fields.key?.placeholder ?? ''))
    expect(parted.filter(({ hasKeyForm }) => !hasKeyForm).map(({ name }) => name)).toEqual([])
    for (const type of [15, 18, 22, 23, 33, 41, 46])
      expect(allProviders.find((provider) => provider.type === type)?.hasKeyForm?.(getSampleKey(type)), `${type}`).toBe(
        true,
      )
  })

  test('of a wrong form that is stored stays until it is changed', async () => {
    await gateway.storage.channels.insert([newChannel({ type: 18, key: 'a||b' })])
    await gateway.storage.announce({ topic: 'channels', id: 0 })
    const [stored] = await gateway.storage.channels.all()
    expect(await update({ id: stored!.id, status: 2 })).toMatchObject({ status: 2 })
  })
})

test('an address that paths are appended to has neither a query nor a fragment', async () => {
  await expectRefused('channel.base_address', { base_url: 'https://p.test/v1?a=b' }, { base_url: 'https://p.test' })
  await expectRefused('channel.base_address', { base_url: 'https://p.test/#/' }, { base_url: 'https://p.test' })
  expect(await create({ type: 8, base_url: 'https://p.test/v1?a=b' })).toMatchObject({
    base_url: 'https://p.test/v1?a=b',
  })
})
