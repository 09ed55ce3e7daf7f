// The whole configuration as a file: out of one Weir and into another, planned, applied, and what it owns.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readStateFile, resolveReferences, formatStateFile } from '../../cli/state-file.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import type { Setting } from '../../core/settings/setting.ts'
import { stateSections } from '../../core/state/sections/index.ts'
import { describeWithOwnGateway, openTestGateway, type TestGateway } from '../support/gateway.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { Refused } from '../support/server.ts'
import { runsAllTests } from '../support/suite.ts'
import { joinTeam } from '../support/teams.ts'
import { alertValues, channelValues, HOOK, PROXY, states, wholeStates } from './state-files.ts'

type Document = Record<string, Record<string, unknown>>

const client = (weir: TestGateway) => weir.root.client.state

/** As `weir export` prints it. */
async function exported(weir: TestGateway, more: { people?: boolean } = {}): Promise<string> {
  const { document, comments } = await client(weir).export(more)
  return formatStateFile(document, comments, 'en')
}

/** As `weir apply` reads it. */
async function read(text: string, env: Record<string, string> = {}): Promise<Document> {
  const { document } = await resolveReferences(await readStateFile(text, 'weir.yaml'), { env, folder: '/nowhere' })
  return document as Document
}

/** What stands behind each reference of a file: the same text for the same name. */
const envOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/\$\{ENV:([A-Z0-9_]+)\}/g)].map(([, name = '']) => [name, secretOf(name)]))
const secretOf = (name: string) =>
  name.endsWith('_PROXY') ? PROXY : name.includes('_WEBHOOK_URL') ? HOOK : `secret of ${name}`

/** The changes that an exported file makes where it came from, without anything behind its references. */
async function changesOfExport(weir: TestGateway, more: { people?: boolean; prune?: boolean } = {}) {
  const { people = true, prune = false } = more
  const text = await exported(weir, { people })
  const resolved = await resolveReferences(await readStateFile(text, 'weir.yaml'), { env: {}, folder: '/nowhere' })
  const order = { document: resolved.document as Document, unresolved: resolved.missing.map(({ path }) => path), prune }
  return (await client(weir).plan(order)).changes
}

const refusal = async (asking: Promise<unknown>) =>
  asking.then(
    () => null,
    (error: unknown) => (error instanceof Refused ? error : Promise.reject(error)),
  )

const whole = (weir: TestGateway, document: object, more: object = {}) =>
  client(weir).apply({ document: { weir: 1, ...document }, ...more })
const planned = (weir: TestGateway, document: object, more: object = {}) =>
  client(weir).plan({ document: { weir: 1, ...document }, ...more })

const ENV = { ANY_KEY: 'sk-any', ANY_HEADER: 'h', ANY_MAIL: 'm', ANY_CLIENT: 'c', ANY_HOOK: HOOK }

describeWithOwnGateway('the state as a file', (weir, kind) => {
  /** An empty one beside it. */
  async function another<T>(work: (other: TestGateway) => Promise<T>): Promise<T> {
    const database = kind === 'postgres' ? { database: await migratedDatabase() } : {}
    const other = await openTestGateway(database)
    try {
      return await work(other)
    } finally {
      await other.close()
    }
  }

  it('out and into an empty Weir, the file is the same text; a plan of it is empty then', async () => {
    await another((other) =>
      fc.assert(
        fc.asyncProperty(runsAllTests ? states : wholeStates, async (state) => {
          // A state that cannot be is refused as a whole: then the one before is compared once more.
          const filled = await resolveReferences({ weir: 1, ...state }, { env: ENV, folder: '/nowhere' })
          const applied = await refusal(client(weir).apply({ document: filled.document, prune: true }))
          for (const prune of [false, true]) expect(await changesOfExport(weir, { prune })).toEqual([])
          const file = await exported(weir)
          const env = envOf(file)
          const document = await read(file, env)
          await client(other).apply({ document, prune: true })
          expect(await exported(other)).toBe(file)
          expect((await client(other).plan({ document, prune: true })).changes).toEqual([])
          const drifted = async (one: TestGateway) => (await client(one).managed()).flatMap((row) => row.drifted)
          expect(await drifted(other)).toEqual([])
          if (applied === null) expect(await drifted(weir)).toEqual([])
          if (applied === null)
            expect((await client(weir).plan({ document: filled.document, prune: true })).changes).toEqual([])
        }),
        { numRuns: !runsAllTests ? 3 : kind === 'sqlite' ? 15 : 5 },
      ),
    )
  }, 240_000)

  it('states made at random have every field of a channel and of an alert rule', () => {
    const fields = (name: string) => {
      const { entry } = stateSections.find((section) => section.name === name)!
      return Object.keys((entry as unknown as { shape: object }).shape).sort()
    }
    expect(Object.keys(channelValues).sort()).toEqual(fields('channels'))
    expect(Object.keys(alertValues).sort()).toEqual(fields('alerts'))
  })

  it('a secret that could not be resolved stays, and goes to no other address', async () => {
    const service = { name: 'Corp', well_known: 'https://id.example/.well-known/openid-configuration', client_id: 'w' }
    const main = {
      key: 'sk-main',
      models: ['m'],
      headers: { 'X-A': 'one', 'X-B': 'two' },
      base_url: 'https://a.example',
    }
    await whole(weir, {
      settings: { SMTPToken: 'mail' },
      channels: { main },
      sign_in_services: { corp: { ...service, client_secret: 'corp' } },
    })
    const unset = async (document: Document, more: object = {}) => {
      const resolved = await resolveReferences({ weir: 1, ...document }, { env: {}, folder: '/nowhere' })
      const unresolved = resolved.missing.map(({ path }) => path)
      return refusal(client(weir).apply({ document: resolved.document, unresolved, ...more }))
    }
    const headers = { 'X-A': 'other', 'X-B': '${ENV:B}', 'X-C': '${ENV:C}' }
    const key = '${ENV:KEY}'
    // Headers decide where the key goes, so that it must be given with another one.
    expect(await unset({ channels: { main: { key, headers } } })).toMatchObject({ code: 'state.failed' })
    expect(await unset({ channels: { main: { key: 'sk-main', headers } } })).toBeNull()
    const stored = async () => (await weir.gateway.ports.storage.channels.all()).find(({ slug }) => slug === 'main')!
    expect(JSON.parse((await stored()).setting)).toEqual({ headers: { 'X-A': 'other', 'X-B': 'two' } })
    const elsewhere = { key: 'sk-main', base_url: 'https://b.example', headers: { 'X-A': 'other', 'X-B': '${ENV:B}' } }
    expect((await unset({ channels: { main: elsewhere } }))?.message).toMatch(/masked|again|hidden/i)
    expect((await stored()).base_url).toBe('https://a.example')
    expect(
      await unset({ sign_in_services: { corp: { ...service, name: 'New', client_secret: '${ENV:C}' } } }),
    ).toBeNull()
    expect((await weir.gateway.ports.storage.loginServices.find('corp'))?.client_secret).toBe('corp')
    expect(await unset({ settings: { SMTPToken: '${ENV:M}' } }, { prune: true })).toBeNull()
    expect(weir.gateway.settings().SMTPToken).toBe('mail')
    const list = { settings: { Chats: [{ Cherry: 'cherry://{key}' }, { Other: '${ENV:O}' }] } }
    await whole(weir, { settings: { Chats: [{ Mine: 'mine://{key}' }] } })
    expect(await unset(list)).toBeNull()
    expect(weir.gateway.settings().Chats).toEqual([{ Mine: 'mine://{key}' }])
    await whole(weir, { settings: {}, channels: {}, sign_in_services: {} }, { prune: true })
  })

  it('with people: users with their passwords, tokens with their keys and limits, members of teams', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000, token: { name: 'laptop', remain_quota: 5000 } })
    await weir.root.client.teams.create({ name: 'research' })
    const [team] = (await weir.root.client.teams.list({ all: 'true' })).items
    await joinTeam(weir.gateway, { id: team!.id, username: ada.user.username, budget_day: 7 })
    const file = await exported(weir, { people: true })
    expect(file).toContain(`${ada.user.username}:`)
    const stored = await weir.gateway.ports.storage.users.passwordHash(ada.user.id)
    const env = Object.fromEntries(
      Object.entries(envOf(file)).map(([key, text]) => {
        if (key.startsWith('WEIR_TOKENS')) return [key, ada.token.key]
        return [key, key.startsWith('WEIR_USERS') ? stored : text]
      }),
    )
    await another(async (other) => {
      const document = await read(file, env)
      await client(other).apply({ document, prune: true })
      expect(await exported(other, { people: true })).toBe(file)
      const there = other.visitor()
      expect((await there.login(ada.user.username, ada.password)).json.success).toBe(true)
      const token = await other.gateway.ports.storage.tokens.findByKey(ada.token.key)
      expect(token).toMatchObject({ name: 'laptop', remain_quota: 5000, unlimited_quota: false })
      const [crew] = (await other.root.client.teams.list({ all: 'true' })).items
      const { members } = await other.root.client.teams.get({ id: crew!.id })
      expect(members.find(({ username }) => username === ada.user.username)).toMatchObject({ budget_day: 7 })
      expect(await other.root.client.quota.verify({})).toMatchObject({ ok: true })
    })
  })

  it('a file that is wrong changes nothing, and says where', async () => {
    await whole(weir, { channels: { main: { name: 'Main', key: 'k', models: ['m'] } } })
    const before = await exported(weir)
    const wrong: [object, RegExp][] = [
      [{ weir: 2 }, /weir/],
      [{ nonsense: {} }, /nonsense/],
      [{ settings: { NoSuchThing: 1 } }, /settings\.NoSuchThing/],
      [{ settings: { RetryTimes: 'many' } }, /RetryTimes/],
      [{ settings: { ModelRatio: {} } }, /settings\.ModelRatio/],
      [{ settings: { SystemName: 'New' }, channels: { other: { models: [] } } }, /other/],
      [{ groups: { g: { ratio: -1 } } }, /groups\.g\.ratio/],
      [{ groups: { g: { ratio: 2 } }, channels: { other: { key: 'k', models: ['m'], groups: ['nobody'] } } }, /nobody/],
      [{ channels: { 'Not a slug': { models: ['m'] } } }, /Not a slug/],
      [{ channels: { main: { priorty: 3 } } }, /priorty/],
      [{ channels: { main: { type: 'no-such-provider' } } }, /no-such-provider/],
      [{ channels: { main: { name: 'New' }, two: { key: 'a\nb', models: ['m'] } } }, /several keys/],
      [{ prices: { m: { usd: { output: 3 } } } }, /./],
      [{ purchase_prices: { nowhere: { m: { model_ratio: 1 } } } }, /nowhere/],
      [{ redemptions: { x: { '5': -1 } } }, /redemptions\.x/],
      [{ users: { root: { group: 'default' } } }, /root/],
      [{ tokens: { t: { user: 'nobody-here', name: 't' } } }, /nobody-here/],
      [JSON.parse('{"groups":{"__proto__":{"ratio":1}}}') as object, /__proto__/],
    ]
    for (const [document, reason] of wrong) {
      const refused = await refusal(whole(weir, document))
      expect(refused?.message, JSON.stringify(document)).toMatch(reason)
      expect(await exported(weir)).toBe(before)
    }
    for (const torn of ['weir: 1\nsettings:\n  A: [', '- weir', 'weir: 1\nsettings: {}\nsettings: {}', '\u0000'])
      await expect(readStateFile(torn, 'weir.yaml')).rejects.toThrow('nothing was changed')
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g']
      .map((one, at) => `${one}: &${one} [${Array(9).fill(`*${'abcdef'[at]}`).join()}]`)
      .join('\n')}`
    await expect(readStateFile(bomb, 'weir.yaml')).rejects.toThrow('nothing was changed')
  })

  it('a plan changes nothing and says what it means: models, and whose bills', async () => {
    await whole(weir, { prices: {}, groups: {} }, { prune: true })
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 10_000_000 })
    weir.upstream.reply(() => ({
      status: 200,
      body: {
        ...{ id: 'c', object: 'chat.completion', created: 1, model: weir.model },
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100_000, completion_tokens: 0, total_tokens: 100_000 },
      },
    }))
    await ada.chat()
    const before = await exported(weir)
    const document = {
      prices: { [weir.model]: { usd: { input: 0.3, output: 0.6 } } },
      channels: { extra: { key: 'k', models: [weir.model] } },
    }
    const plan = await planned(weir, document)
    expect(await exported(weir)).toBe(before)
    expect(plan.models).toMatchObject([{ model: weir.model, before: 1, after: 2, gains: ['extra'], loses: [] }])
    const mine = plan.bills.rows.find(({ username }) => username === ada.user.username)
    expect(mine!.would_charge / mine!.charged).toBeCloseTo(2, 3)
    const groups = await planned(weir, { groups: { default: { ratio: 3 } } })
    const tripled = groups.bills.rows.find(({ username }) => username === ada.user.username)
    expect(tripled!.would_charge / tripled!.charged).toBeCloseTo(3, 3)
    await weir.set('SystemName', 'another')
    expect((await refusal(whole(weir, document, { digest: plan.digest })))?.code).toBe('state.moved')
    expect(plan.changes.find(({ section }) => section === 'channels')?.fields).toContainEqual({
      ...{ field: 'key', from: null, to: '***' },
    })
  })

  it('what a file does not name stays, unless it is said to go; what it owns is marked, and drifts', async () => {
    await whole(weir, { channels: { one: { key: 'k', models: ['m'] }, two: { key: 'k', models: ['m'] } } })
    const less = { channels: { one: { key: 'k', models: ['m'], priority: 3 } } }
    const stays = await whole(weir, less)
    expect(stays.kept).toContainEqual({ section: 'channels', key: 'two' })
    expect(stays.released).toEqual([{ section: 'channels', key: 'two' }])
    const owned = async () => (await client(weir).managed()).filter(({ section }) => section === 'channels')
    expect(await owned()).toMatchObject([{ key: 'one', source: 'weir.yaml', drifted: [] }])
    const one = (await weir.root.client.channels.list({})).data.find(({ slug }) => slug === 'one')
    await weir.root.client.channels.update({ id: one!.id, priority: 5, weight: 4 })
    expect(await owned()).toMatchObject([{ key: 'one', drifted: ['priority'] }])
    const plan = await planned(weir, less)
    expect(plan.changes).toMatchObject([
      { key: 'one', drift: true, fields: [{ field: 'priority', from: 5, to: 3 }], owner: 'weir.yaml' },
    ])
    const pruned = await whole(weir, less, { prune: true })
    expect(pruned.changes.map(({ action, key }) => `${action} ${key}`).sort()).toEqual(['change one', 'remove two'])
    expect((await weir.root.client.channels.list({})).data.map(({ slug }) => slug)).toEqual(['one'])
  })

  it('what is bought from a channel is known by its slug, of one that is made with it too', async () => {
    const bought = { main: { m: { model_ratio: 0.5 } }, 'type:openai': { m: { model_price: 0.1 } } }
    const document = { channels: { main: { key: 'k', models: ['m'] } }, purchase_prices: bought }
    await whole(weir, document)
    expect((await planned(weir, document)).changes).toEqual([])
    expect((await client(weir).export({})).document.purchase_prices).toEqual(bought)
    await whole(weir, { channels: {}, purchase_prices: {} }, { prune: true })
    expect((await client(weir).export({})).document.purchase_prices).toEqual({})
  })

  it('an alert rule may become one of another kind, and is of a channel by its slug', async () => {
    const channel = await weir.addChannel({ name: 'Watched' })
    const { slug } = await weir.root.client.channels.get({ id: channel.id })
    const rule = { kind: 'error_rate', threshold: 30, channel: slug, mails: 'ada@example.com', webhook_url: HOOK }
    const named = async () => (await weir.root.client.alerts.list({})).find(({ name }) => name === 'Failures')
    await whole(weir, { alerts: { Failures: rule } })
    expect(await named()).toMatchObject({ ...rule, channel: channel.id, minutes: 60, root: true, has_secret: false })
    // What is not named stays.
    await whole(weir, { alerts: { Failures: { kind: 'error_rate', threshold: 40 } } })
    expect(await named()).toMatchObject({ ...rule, threshold: 40, channel: channel.id })
    const disk = { alerts: { Failures: { kind: 'disk', threshold: 5, model: 'gpt-4o' } } }
    await whole(weir, disk)
    expect(await named()).toMatchObject({ kind: 'disk', threshold: 5, channel: 0, model: '', mails: rule.mails })
    expect((await planned(weir, disk)).changes).toEqual([])
    const { items } = await weir.root.client.audit.list({})
    const audited = items.filter(({ action }) => action.startsWith('alert.'))
    expect(audited.map(({ action }) => action)).toEqual([
      'alert.create',
      'alert.delete',
      'alert.update',
      'alert.create',
    ])
    expect(JSON.stringify(audited)).not.toContain(HOOK)
    const nowhere = { alerts: { Failures: { ...rule, channel: 'no-such-channel' } } }
    expect(await refusal(whole(weir, nowhere))).toMatchObject({ code: expect.stringMatching(/^state\./) })
    await whole(weir, { alerts: { Failures: null } })
    expect(await named()).toBeUndefined()
  })

  it('secrets leave as references or sealed, and never in a plan', async () => {
    const { generateX25519Identity, identityToRecipient, Decrypter } = await import('age-encryption')
    const identity = await generateX25519Identity()
    await whole(weir, {
      settings: { SMTPToken: 'mail-secret-1' },
      channels: {
        one: {
          key: 'key-secret-1',
          models: ['m'],
          headers: { 'X-A': 'header-secret-1' },
          proxy: 'http://a:proxy-secret-1@h.example',
        },
      },
    })
    const secrets = ['mail-secret-1', 'key-secret-1', 'header-secret-1', 'proxy-secret-1']
    const plan = JSON.stringify(
      await planned(weir, {
        channels: { one: { key: 'key-secret-2', headers: {} } },
        settings: { SMTPToken: 'mail-secret-2' },
      }),
    )
    for (const secret of [...secrets, 'key-secret-2', 'mail-secret-2']) expect(plan).not.toContain(secret)
    expect(await exported(weir)).not.toMatch(/-secret-1/)
    const sealed = await client(weir).export({ seal_to: await identityToRecipient(identity) })
    expect(JSON.stringify(sealed)).not.toMatch(/-secret-1/)
    const opener = new Decrypter()
    opener.addIdentity(identity)
    const { key } = (sealed.document as unknown as { channels: { one: { key: string } } }).channels.one
    expect(await opener.decrypt(Buffer.from(key.slice('${age:'.length, -1), 'base64'), 'text')).toBe('key-secret-1')
    expect((await refusal(client(weir).export({ seal_to: 'nobody' })))?.code).toBe('state.recipient')
    await weir.root.client.settings.update({ key: 'SMTPToken', value: null })
  })
})

describeWithOwnGateway('the state of a Weir that has stored what no form takes', (weir) => {
  it('an export changes nothing where it came from, for every setting, and for values that no form takes', async () => {
    const { storage } = weir.gateway.ports
    const declared = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
    const entries = declared.flatMap(([key, { value, secret = false }]) => {
      const texts = [
        ...(value.choices ?? []),
        'true',
        'false',
        '7',
        '0.5',
        '["a"]',
        '[]',
        '{}',
        'https://x.example',
        'x',
      ]
      const other = texts.find((text) => {
        const { data, success } = value.schema.safeParse(text)
        return success && value.encode(data) !== value.encode(value.default)
      })
      return other === undefined ? [] : [{ key, value: other, secret }]
    })
    expect(entries.length).toBeGreaterThan(declared.length * 0.8)
    const long = 'x'.repeat(300)
    const odd = {
      name: long,
      type: 4711,
      key: 'schlüssel',
      models: 'a b,\u0007',
      group: 'nobody',
      base_url: 'nowhere/',
    }
    const json = { model_mapping: '{"a":1}', status_code_mapping: '{"x":[]}', param_override: '[]' }
    const setting = JSON.stringify({
      headers: { 'X Y': 'ü', 'X-A': '***' },
      proxy: 'a://b:c@d',
      idle_timeout_seconds: -1,
    })
    const numbers = { max_input_tokens: -1, priority: -5000, weight: -1, auto_ban: 0, status: 3, created_time: 0 }
    const texts = {
      other: ' ',
      other_info: '',
      remark: '',
      openai_organization: 'ü',
      test_model: '\n',
      tag: '',
      key_mode: 'no',
    }
    await storage.transaction(({ channels }) =>
      channels.insert(
        ['Odd One', 'odd-two'].map((slug) => ({
          ...{ ...odd, ...json, ...numbers, ...texts, setting, slug, address_by: 'root' },
          ...(slug === 'odd-two' ? { type: 1, models: 'm', model_mapping: '' } : {}),
        })),
      ),
    )
    const ada = await weir.addCaller({ token: { name: 'laptop', models: '' } as object })
    await weir.changeUser(ada.user.id, { display_name: long, group: 'nobody', email: 'no address' })
    await storage.redemptions.insert([{ user_id: 1, name: long, key: 'k'.repeat(32), quota: 0, created_time: 0 }])
    await storage.transaction(({ teams }) => teams.insert({ name: long, created_time: 0 }))
    await storage.settings.save(entries)
    const groups = { ratio: { 'a,b': -1, [long]: 2 }, usable: { 'a,b': long } }
    await storage.settings.save([
      { key: 'GroupRatio', value: JSON.stringify(groups.ratio), secret: false },
      { key: 'UserUsableGroups', value: JSON.stringify(groups.usable), secret: false },
    ])
    await storage.announce({ topic: 'settings', id: 0 })
    for (const prune of [false, true]) expect(await changesOfExport(weir, { prune })).toEqual([])
    const [priority] = (await planned(weir, { channels: { 'odd-two': { name: long, tag: '', priority: 3 } } })).changes
    expect(priority?.fields).toEqual([{ field: 'priority', from: -5000, to: 3 }])
  })
})
