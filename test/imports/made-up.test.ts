// Small made-up databases with what is odd in real ones: each row comes, or is told why not.
import { afterEach, expect, it } from 'vitest'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { accounted, callWith, importInto, lineOf } from './import.ts'
import { newApiSource, type Rows } from './new-api-source.ts'

/** The hash of `Password-1` as other products keep it. */
const BCRYPT = '$2b$04$xxp82AJoBQWG6zTBTK4b8OyMzLl1XpYxlltZJ0s6Bf/J40tH7hTgq'

describeWithOwnGateway('what comes from a database of new-api', (weir) => {
  const made: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const gone of made.splice(0)) await gone()
  })
  async function bring(rows: Rows, options: { dry_run?: boolean } = {}) {
    const { file, gone } = await newApiSource(rows)
    made.push(gone)
    return { file, result: await importInto(weir, file, { product: 'new-api', ...options }) }
  }
  const userNamed = async (name: string) =>
    (await weir.root.client.users.search({ keyword: name })).items.find(({ username }) => username === name)
  let codes = 0
  const mark = () => `M${++codes}${weir.rootId}`

  it('keeps names, passwords, balances and keys, and proves the books', async () => {
    await weir.addChannel()
    const key = 'K'.repeat(40) + String(Date.now()).slice(-8)
    const { file, result } = await bring({
      users: [
        { id: 501, username: 'a-longer-name-than-12', password: BCRYPT, quota: 5000, used_quota: 70, aff_code: mark() },
      ],
      tokens: [{ id: 901, user_id: 501, key, remain_quota: -3 }],
      logs: [{ id: 1, user_id: 501, token_id: 901, username: 'a-longer-name-than-12', quota: 70 }],
    })
    expect(result.counts.every(({ left, changed }) => left === 0 && changed === 0)).toBe(true)
    const user = await userNamed('a-longer-name-than-12')
    expect(user).toMatchObject({ id: 501, quota: 5000, used_quota: 70 })
    const [entry] = (await weir.root.client.quota.entries({ account_id: 501 })).items
    expect(entry).toMatchObject({ kind: 'opening', amount: 5000, balance_after: 5000 })
    const ada = weir.visitor()
    expect((await ada.login('a-longer-name-than-12', 'Password-1')).json.success).toBe(true)
    // The second time it is one of ours.
    const { password_hash } = (await weir.gateway.ports.storage.users.findByLogin('a-longer-name-than-12')) ?? {}
    expect(password_hash).toMatch(/^\$argon2id\$/)
    expect((await weir.visitor().login('a-longer-name-than-12', 'Password-1')).json.success).toBe(true)
    expect((await weir.visitor().login('a-longer-name-than-12', 'Password-2')).json.success).toBe(false)
    expect(await callWith(weir.url, `sk-${key}`, 'no-such-model')).toBe(404)
    expect((await weir.root.client.logs.list({ type: 2, username: 'a-longer-name-than-12' })).items[0]).toMatchObject({
      quota: 70,
    })
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
    const again = await importInto(weir, file, { product: 'new-api' })
    expect(again.counts.filter(({ came, changed }) => came + changed > 0)).toEqual([])
    expect((await userNamed('a-longer-name-than-12'))?.quota).toBe(5000)
  })

  it('writes nothing in a dry run, and tells the same', async () => {
    const rows: Rows = {
      users: [{ id: 611, username: 'Dry', quota: 9, aff_code: mark() }],
      tokens: [{ id: 1, user_id: 611, key: 'D'.repeat(48) }],
      logs: [{ id: 1, user_id: 611 }],
      options: [{ key: 'Footer', value: 'never' }],
    }
    const dry = await bring(rows, { dry_run: true })
    expect(accounted(dry.result, 'user')).toBe(1)
    expect(await userNamed('Dry')).toBeUndefined()
    expect(weir.gateway.settings().Footer).not.toBe('never')
    const real = await importInto(weir, dry.file, { product: 'new-api' })
    expect(real.counts).toEqual(dry.result.counts)
  })

  it('tells of names that are taken, whatever their case and their letters', async () => {
    const { user } = await weir.addUser()
    const [taken, twin] = [user.username.toUpperCase(), `Twin${mark()}`]
    const { result } = await bring({
      users: [
        { id: 701, username: taken, aff_code: mark() },
        { id: 702, username: twin, email: `${twin}@example.org` },
        { id: 703, username: twin.toLowerCase(), email: `${twin.toUpperCase()}@example.org` },
        { id: 704, username: twin.replace('T', 'Т') },
        { id: 705, username: 'mail@name' },
        { id: 706, username: '  ' },
      ],
    })
    expect(accounted(result, 'user')).toBe(6)
    expect(lineOf(result, 'user', '701')?.why.en).toContain(`"${taken}-2"`)
    expect(lineOf(result, 'user', '703')?.why.en).toMatch(/now "[^"]*-2".*another account/)
    expect(lineOf(result, 'user', '704')?.outcome).toBe('changed')
    expect(lineOf(result, 'user', '705')?.why.en).toContain('"mail_name"')
    expect(lineOf(result, 'user', '706')?.outcome).toBe('left')
  })

  it('keeps what is most of amounts beyond what is exact, and what is below 0', async () => {
    const { result } = await bring({
      users: [
        { id: 801, username: 'Much', quota: 9_007_199_254_740_993n, aff_code: mark() },
        { id: 802, username: 'Owing', quota: -6049 },
      ],
    })
    expect(lineOf(result, 'user', '801')?.why.en).toContain('9007199254740993')
    expect((await userNamed('Much'))?.quota).toBe(Number.MAX_SAFE_INTEGER)
    expect(await userNamed('Owing')).toMatchObject({ quota: -6049 })
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
  })

  it('leaves what belongs to nobody, and what is there twice', async () => {
    const { result } = await bring({
      users: [
        { id: 811, username: 'Owner', aff_code: mark() },
        { id: 812, username: 'Gone', deleted_at: '2025-01-02 03:04:05.678+00:00', quota: 5 },
      ],
      tokens: [
        { id: 11, user_id: 811, key: 'A1'.repeat(24) },
        { id: 12, user_id: 811, key: 'A1'.repeat(24) },
        { id: 13, user_id: 99_999, key: 'B1'.repeat(24) },
        { id: 14, user_id: 811, key: null },
        { id: 15, user_id: 811, key: 'C1'.repeat(24), status: 4, remain_quota: 50, unlimited_quota: 0 },
        { id: 16, user_id: 811, key: 'C2'.repeat(24), allow_ips: 'nonsense' },
      ],
      logs: [
        { id: 5, user_id: 99_999 },
        { id: 6, user_id: 0, type: 9, other: '{broken' },
      ],
      redemptions: [
        { id: 1, key: 'R'.repeat(32) },
        { id: 2, key: '' },
      ],
    })
    expect(['11', '12', '13', '14', '15', '16'].map((id) => lineOf(result, 'token', id)?.outcome)).toEqual([
      ...[undefined, 'left', 'left', 'left', 'changed', 'changed'],
    ])
    expect(await callWith(weir.url, `sk-${'C2'.repeat(24)}`, 'gpt-4o-mini')).toBe(403)
    expect(await callWith(weir.url, `sk-${'C1'.repeat(24)}`, 'gpt-4o-mini')).toBe(401)
    expect(lineOf(result, 'log', '5')?.why.en).toContain('99999')
    expect(lineOf(result, 'log', '6')?.why.en).toMatch(/other was no JSON.*type 9/)
    expect(lineOf(result, 'redemption', '2')?.outcome).toBe('left')
    expect((await weir.visitor().login('Gone', 'Password-1')).json.success).toBe(false)
    const gone = (await weir.root.client.users.search({ keyword: '812' })).items[0]
    expect(gone).toMatchObject({ username: 'Gone', DeletedAt: '2025-01-02T03:04:05.000Z' })
  })

  it('brings the ends of codes, which are not redeemed after them, and the remarks of users and channels', async () => {
    await bring({
      users: [{ id: 815, username: 'Remarked', aff_code: mark(), remark: 'pays by invoice' }],
      channels: [{ id: 35, name: 'Remarked', remark: ' contract ends in May ' }],
      redemptions: [
        { id: 21, key: 'E1'.repeat(16), expired_time: 1_700_000_001 },
        { id: 22, key: 'E2'.repeat(16), expired_time: 4_000_000_000 },
        { id: 23, key: 'E3'.repeat(16), expired_time: 0 },
      ],
    })
    const { users, channels } = weir.root.client
    expect((await users.search({ keyword: 'pays by invoice' })).items).toMatchObject([{ username: 'Remarked' }])
    expect(await channels.search({ keyword: 'contract ends' })).toMatchObject([{ remark: 'contract ends in May' }])
    const ada = await weir.addVisitor()
    const redeem = async (key: string) => (await ada.send('POST', '/api/user/topup', { body: { key } })).json
    expect((await redeem('E1'.repeat(16))).code).toBe('redemption.expired')
    for (const key of ['E2'.repeat(16), 'E3'.repeat(16)]) expect((await redeem(key)).data, key).toBe(1000)
  })

  it('mends channels whose texts are broken, and switches off those of unknown types', async () => {
    const { result } = await bring({
      users: [{ id: 821, username: 'Ops', aff_code: mark(), group: 'lab' }],
      channels: [
        { id: 31, name: 'Broken', model_mapping: '{"a":', setting: 'null', param_override: '[]', other_info: 'x' },
        { id: 32, name: 'Future', type: 777 },
        { id: 33, name: null, key: 'one\ntwo\n', group: 'lab,other lab' },
      ],
    })
    expect(lineOf(result, 'channel', '31')?.why.en).toMatch(/other_info.*model_mapping.*param_override/)
    expect(lineOf(result, 'channel', '32')?.why.en).toContain('type 777')
    const channels = (await weir.root.client.channels.list({ p: 0, page_size: 100 })).data
    const named = (name: string) => channels.find((channel) => channel.name === name)
    expect(named('Future')).toMatchObject({ type: 1, status: 2 })
    expect(named('Broken')).toMatchObject({ model_mapping: '', param_override: '', status: 2 })
    expect(named('channel 33')).toMatchObject({ key_mode: 'random' })
    expect(Object.keys(weir.gateway.settings().GroupRatio)).toEqual(expect.arrayContaining(['lab', 'other lab']))
  })

  it('takes settings that nobody has set here, and leaves those that cannot be', async () => {
    await weir.set('SystemName', 'Ours')
    const { result } = await bring({
      users: [{ id: 831, username: 'Set', aff_code: mark() }],
      options: [
        { key: 'SystemName', value: 'Theirs' },
        { key: 'RetryTimes', value: 'many' },
        { key: 'NoSuchOption', value: '1' },
        { key: 'GitHubOAuthEnabled', value: 'true' },
        { key: 'TopUpLink', value: 'https://pay.example' },
        { key: 'ModelRatio', value: '{"a-model":1.5,"gpt-4o-mini":0.1}' },
        { key: 'CompletionRatio', value: '{"a-model":3}' },
      ],
    })
    expect(accounted(result, 'option')).toBe(7)
    for (const key of ['SystemName', 'RetryTimes', 'NoSuchOption'])
      expect(lineOf(result, 'option', key), key).toMatchObject({ outcome: 'left' })
    expect(lineOf(result, 'option', 'GitHubOAuthEnabled')).toMatchObject({ outcome: 'changed' })
    const settings = weir.gateway.settings()
    expect(settings.TopUpLink).toBe('https://pay.example')
    expect(settings.ModelRatio).toMatchObject({ 'a-model': 1.5, 'gpt-4o-mini': 0.1 })
    expect(settings.CompletionRatio).toMatchObject({ 'a-model': 3 })
    expect(Object.keys(settings.ModelRatio).length).toBeGreaterThan(50)
  })

  it('counts in our units where a unit is worth something else', async () => {
    const { result } = await bring({
      users: [{ id: 841, username: 'Scaled', quota: 100, aff_code: mark() }],
      options: [{ key: 'QuotaPerUnit', value: '1000000.0' }],
    })
    expect(lineOf(result, 'user', '841')?.why.en).toContain('50 here')
    expect((await userNamed('Scaled'))?.quota).toBe(50)
    expect(lineOf(result, 'option', 'QuotaPerUnit')?.outcome).toBe('left')
  })

  it('makes the super administrator of the same name one account', async () => {
    const before = (await weir.root.client.users.self()).quota
    const { file, result } = await bring({
      users: [{ id: 1, username: 'ROOT', role: 100, password: BCRYPT, quota: 77, used_quota: 5, aff_code: mark() }],
    })
    expect(lineOf(result, 'user', '1')?.why.en).toContain('balance of 77 is added')
    expect((await weir.root.client.users.self()).quota).toBe(before + 77)
    await importInto(weir, file, { product: 'new-api' })
    expect((await weir.root.client.users.self()).quota).toBe(before + 77)
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
  })

  it('is for the super administrator, and comes once however often it is sent', async () => {
    const from = { product: 'new-api' as const, marks: [mark()] }
    const ada = await weir.addVisitor()
    for (const path of ['/api/import/', '/api/import/history'])
      expect((await ada.send('POST', path, { body: { ...from, rows: [] } })).json.code).toBe('access.forbidden')
    const option = { kind: 'option' as const, id: 'About', name: 'About', key: 'About', value: 'Them' }
    const { bring, history } = weir.root.client.imports
    expect((await bring({ ...from, rows: [option] })).counts).toMatchObject([{ kind: 'option', came: 1 }])
    expect((await bring({ ...from, rows: [option] })).counts).toMatchObject([{ kind: 'option', came: 0, known: 1 }])
    const row = {
      ...{ kind: 'log' as const, id: '7', name: '', type: 4, created_at: 1_700_000_000, user: '', username: '' },
      ...{ token: '', token_name: '', channel: '', group: '', model_name: '', use_time: 0, is_stream: false },
      ...{ prompt_tokens: 0, completion_tokens: 0, quota: 0, content: 'Once', other: '', request_id: '' },
    }
    expect((await history({ ...from, rows: [row, row] })).counts).toMatchObject([{ kind: 'log', came: 1, known: 1 }])
    expect((await history({ ...from, rows: [row] })).counts).toMatchObject([{ kind: 'log', came: 0, known: 1 }])
  })

  it('refuses what is no database of it', async () => {
    await expect(importInto(weir, import.meta.filename, { product: 'new-api' })).rejects.toThrow(
      /neither YAML nor JSON nor a SQLite database.*one-hub.*Bifrost/,
    )
    const { file, gone } = await newApiSource({})
    made.push(gone)
    await expect(importInto(weir, file, { product: 'one-api' })).rejects.toThrow('weir import new-api')
  })
})
