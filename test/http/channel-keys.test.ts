// The keys of one channel: added, switched and taken out one by one, each with its own state and history.
import { expect, it } from 'vitest'
import { getKeyFingerprint } from '../../core/channels/keys.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

const KEYS = ['aaa', 'bbb', 'ccc'].map((end) => `sk-key-0123456789-${end}`)
const ENDS = ['sk-***aaa', 'sk-***bbb', 'sk-***ccc']
const [A, B, C] = KEYS.map(getKeyFingerprint) as [string, string, string]

describeWithGateway('the keys of a channel', (weir) => {
  const keys = () => weir.root.client.channels
  const stored = async (id: number) => (await weir.gateway.ports.storage.channels.find(id))!
  const three = () => weir.addChannel({ key: KEYS.join('\n'), key_mode: 'turn' })
  const used = () => weir.upstream.requests.map(({ headers }) => String(headers.authorization).slice(-3))
  const lastAudit = async () => (await weir.root.client.audit.list({ page_size: 1 })).items[0]!

  it('are shown by their ends, and added several at once; a channel with one has several then', async () => {
    const { id } = await weir.addChannel({ key: KEYS[0] })
    expect(await keys().keys({ id })).toEqual([
      { place: 1, key: ENDS[0], fingerprint: '', on: true, reason: '', since: 0, used_at: 0, last_error: null },
    ])
    const added = await keys().addKeys({ id, key: ` ${KEYS[1]}\n\n${KEYS[2]}\r\n${KEYS[0]}\n` })
    expect(added).toMatchObject({ changed: 2, data: ENDS.map((key, at) => ({ key, place: at + 1, on: true })) })
    expect(await stored(id)).toMatchObject({ key: KEYS.join('\n'), key_mode: 'turn', version: 2 })
    expect(await lastAudit()).toMatchObject({ action: 'channel.add_keys', target: String(id), username: 'root' })
    expect(await keys().addKeys({ id, key: KEYS[1]! })).toMatchObject({ changed: 0 })
    expect(await stored(id)).toMatchObject({ version: 2 })
    const short = await weir.addChannel({ key: 'short' })
    expect(await keys().keys({ id: short.id })).toMatchObject([{ key: '***' }])
    const rows = (await weir.root.client.audit.list({ page_size: 100 })).items
    expect(JSON.stringify([added, rows])).not.toContain('0123456789')
    await expect(keys().addKeys({ id, key: ' \n' })).rejects.toMatchObject({ code: 'channel.key' })
  })

  it('are refused to a form with the name of the field', async () => {
    const body = { name: 'main', type: 1, key: 'sk-key', models: 'gpt-4o' }
    const refused = async (change: object) =>
      (await weir.root.send('POST', '/api/channel/', { body: { ...body, ...change } })).json
    expect(await refused({ key: '' })).toMatchObject({ code: 'channel.name_key', field: 'key' })
    expect(await refused({ priority: 'high' })).toMatchObject({ code: 'request.invalid', field: 'priority' })
    expect(await refused({ setting: '{"proxy": 5}' })).toMatchObject({ field: 'setting.proxy' })
    const several = await refused({ priority: 'high', weight: -1, setting: '{"proxy": 5}' })
    expect(several.fields.map(({ field }: { field: string }) => field)).toEqual(['setting.proxy', 'priority', 'weight'])
    expect(several).toMatchObject(several.fields[0])
  })

  it('taken out leave the others their state, their circuit and their history', async () => {
    const { id } = await three()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(({ headers }) =>
      String(headers.authorization).endsWith('ccc')
        ? { status: 429, headers: { 'retry-after': '600' }, body: { error: { message: 'slow down' } } }
        : chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }),
    )
    for (let call = 0; call < 4; call++) expect((await ada.chat()).status).toBe(200)
    await keys().manageKeys({ id, keys: [B], action: 'disable' })
    const health = async () => (await keys().health({ id, hours: 1 })).channels[0]!
    const before = await eventually(health, ({ circuits }) => circuits.length === 1)
    const left = await keys().manageKeys({ id, keys: [A], action: 'remove' })
    expect(left).toMatchObject({
      changed: 1,
      data: [
        { place: 1, key: ENDS[1], on: false },
        { place: 2, on: true },
      ],
    })
    expect(left.data[0]!.since).toBeGreaterThan(0)
    const after = await health()
    expect(after.circuits).toEqual(before.circuits)
    expect(after.keys).toEqual(before.keys.slice(1))
    expect(await lastAudit()).toMatchObject({ action: 'channel.remove_keys', target: String(id) })
  })

  it('switched off by somebody stay off: no test, and no switch of the channel, brings them back', async () => {
    const { id } = await weir.addChannel({ key: KEYS.join('\n'), key_mode: 'turn', tag: 'by hand' })
    await weir.set('AutomaticEnableChannelEnabled', true)
    await weir.set('AutomaticDisableChannelEnabled', true)
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    await keys().manageKeys({ id, keys: [A], action: 'disable' })
    expect(await lastAudit()).toMatchObject({ action: 'channel.disable_keys' })
    await keys().test({ id })
    await keys().update({ id, status: 2 })
    await keys().update({ id, status: 1 })
    await keys().disableTag({ tag: 'by hand' })
    await keys().enableTag({ tag: 'by hand' })
    expect((await keys().keys({ id })).map(({ on }) => on)).toEqual([false, true, true])
    weir.upstream.requests.length = 0
    const ada = await weir.addCaller({ quota: 1_000_000 })
    for (let call = 0; call < 4; call++) await ada.chat()
    expect(new Set(used())).toEqual(new Set(['bbb', 'ccc']))
    await keys().manageKeys({ id, keys: [A], action: 'enable' })
    expect((await keys().keys({ id })).map(({ on }) => on)).toEqual([true, true, true])
    await keys().manageKeys({ id, keys: [A], action: 'disable' })
    await keys().update({ id, key_on: A })
    expect(await lastAudit()).toMatchObject({ action: 'channel.update', before: expect.stringContaining(A) })
  })

  it('are tested one by one by their fingerprints, which says nothing of the others or of the channel', async () => {
    const { id } = await three()
    await weir.set('AutomaticDisableChannelEnabled', true)
    weir.upstream.reply(({ headers }) =>
      String(headers.authorization).endsWith('bbb')
        ? { status: 401, body: { error: { message: `wrong key ${KEYS[1]}`, code: 'invalid_api_key' } } }
        : chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }),
    )
    weir.upstream.requests.length = 0
    expect(await keys().test({ id, key: C })).toMatchObject({ data: null })
    const refused = (await weir.root.send('POST', `/api/channel/test/${id}?key=${B}`)).json
    expect(refused).toMatchObject({ success: false, code: 'channel.test_failed', kind: 'key' })
    expect(used()).toEqual(['ccc', 'bbb'])
    expect(JSON.stringify(refused)).not.toContain('0123456789')
    expect(await keys().keys({ id })).toMatchObject([
      { on: true },
      { on: false, reason: expect.stringContaining('401') },
      { on: true },
    ])
    expect(await keys().tests({ id })).toEqual([])
    expect(await stored(id)).toMatchObject({ test_time: 0 })
    await expect(keys().test({ id, key: 'none' })).rejects.toMatchObject({ code: 'channel.key_unknown' })
  })

  it('tell when they were used last, and by what they failed last', async () => {
    const { id } = await weir.addChannel({ key: KEYS.join('\n'), key_mode: 'turn', priority: 100 })
    weir.upstream.reply(({ headers }) =>
      String(headers.authorization).endsWith('aaa')
        ? { status: 500, body: { error: { message: 'out of order' } } }
        : chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }),
    )
    const ada = await weir.addCaller({ quota: 1_000_000 })
    expect([(await ada.chat()).status, (await ada.chat()).status]).toEqual([500, 200])
    const known = await eventually(
      () => keys().keys({ id }),
      ([first]) => first!.last_error !== null,
    )
    expect(known).toMatchObject([
      { used_at: expect.any(Number), last_error: { status: 500, error: expect.stringContaining('out of order') } },
      { last_error: null },
      { used_at: 0, last_error: null },
    ])
    expect(known.slice(0, 2).every(({ used_at }) => used_at > 0 && used_at % 3600 === 0)).toBe(true)
  })

  it('are never all gone while the channel is on; one that went off for want of a key comes back with one', async () => {
    const { id } = await three()
    const manage = (prints: string[], action: 'enable' | 'disable' | 'remove') =>
      keys().manageKeys({ id, keys: prints, action })
    const refused = { code: 'channel.last_key', message: expect.stringContaining('add another key first') }
    for (const action of ['disable', 'remove'] as const)
      await expect(manage([A, B, C], action)).rejects.toMatchObject(refused)
    await manage([A], 'disable')
    await expect(manage([B, C], 'remove')).rejects.toMatchObject(refused)
    await expect(manage(['none'], 'remove')).rejects.toMatchObject({ code: 'channel.key_unknown' })
    expect(await keys().keys({ id })).toHaveLength(3)
    await weir.set('AutomaticDisableChannelEnabled', true)
    weir.upstream.reply({ status: 401, body: { error: { message: 'bad key', code: 'invalid_api_key' } } })
    await (await weir.addCaller({ quota: 1_000_000 })).chat()
    await eventually(
      () => stored(id),
      ({ status }) => status === 3,
    )
    expect(await manage([B], 'enable')).toMatchObject({ data: [{ on: false }, { on: true }, { on: false }] })
    expect(await stored(id)).toMatchObject({ status: 1 })
    await keys().update({ id, status: 2 })
    await manage([A, B], 'remove')
    await expect(manage([C], 'remove')).rejects.toMatchObject(refused)
    const one = await weir.addChannel({ key: KEYS[0] })
    await expect(keys().manageKeys({ id: one.id, keys: [''], action: 'remove' })).rejects.toMatchObject(refused)
  })

  it('of two who add at once none loses a key, and who says what they read is told of a change', async () => {
    const { id, version } = await three()
    const given = Array.from({ length: 4 }, (_, at) => `sk-another-key-number-${at}`)
    const told = await Promise.allSettled(given.map((key) => keys().addKeys({ id, key })))
    const done = told.filter(({ status }) => status === 'fulfilled').length
    expect(done).toBeGreaterThan(0)
    expect(await keys().keys({ id })).toHaveLength(3 + done)
    for (const one of told) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'edit.conflict' })
    const late = keys().addKeys({ id, key: 'sk-too-late-0123456789', version })
    await expect(late).rejects.toMatchObject({ code: 'edit.conflict' })
  })
})
