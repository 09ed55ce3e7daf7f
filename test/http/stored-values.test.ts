// A value that a field accepts through any endpoint can be read by everything that shows it, and is shown unchanged.
import { formatKeyEnds } from '../../core/tokens/token.ts'
import { expect, it } from 'vitest'
import { MAX_PAGE_SIZE } from '../../core/contract/page.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { GatewayError } from '../../core/errors.ts'
import { newChannel, newUser } from '../storage/samples.ts'
import { describeWithOwnGateway, type TestGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { pickInTurn, sampleCases } from '../support/suite.ts'

const TEXTS = [
  ...['', ' ', 'a\nb', '\u0085', '\u{1F30A}', '__proto__', '{"a":"b"}', "' or 1=1 --", 'x'.repeat(90), 'a,b'],
  ...['Europe/Berlin', '10.0.0.0/8', 'random', 'https://example.com', 'long enough'],
]
/** What no database keeps as it is: half of a character, and NUL, which PostgreSQL does not take at all. */
const UNSTORABLE = ['a\0b', '\uD800']
const OTHERS = [0, 2, -1, 1.5, 2 ** 31, 2 ** 53 - 1, 1e308, true]
/** Of the others, `npm test` gives each field a few, in turns. */
const listValues = (turn: number): unknown[] => [
  ...pickInTurn(TEXTS, turn, 1),
  ...pickInTurn(UNSTORABLE, turn, 1),
  ...pickInTurn([...OTHERS, null], turn, 1),
]

/** What is written, and with what beside the field that is tried. Each write gets rows of its own. */
const WRITERS: Record<string, (weir: TestGateway) => Promise<Record<string, unknown>>> = {
  'channels.create': async () => channelForm(),
  'channels.update': async (weir) => ({ id: await channel(weir) }),
  'channels.updateTag': async (weir) => ({ tag: await tag(weir), priority: 1 }),
  'channels.addKeys': async (weir) => ({ id: await channel(weir) }),
  'channels.tagMany': async (weir) => ({ ids: [await channel(weir)] }),
  'tokens.create': async () => ({ name: 'a token' }),
  'tokens.update': async (weir) => ({ id: await token(weir) }),
  'tokens.createOf': async () => ({ user_id: 1, name: 'a token' }),
  'tokens.updateOf': async (weir) => ({ user_id: 1, id: await token(weir) }),
  'users.create': async () => ({ username: fresh('u'), password: 'long enough' }),
  'users.update': async (weir) => ({ id: (await storage(weir).users.insert(newUser({ username: fresh('u') }))).id }),
  'users.setting': async () => ({ notify_type: 'email', quota_warning_threshold: 5 }),
  'users.createAccessToken': async (weir) => {
    await storage(weir).accessTokens.deleteOfUser(1)
    return { name: fresh('access') }
  },
  'redemptions.create': async () => ({ name: 'a code', quota: 5 }),
  'redemptions.update': async (weir) => ({ id: await redemption(weir) }),
  'teams.create': async () => ({ name: fresh('team') }),
  'teams.shareView': async (weir) => ({ id: await team(weir), list: 'logs', name: fresh('view') }),
  'teams.renameView': async (weir) => {
    const view = { id: await team(weir), list: 'logs', name: fresh('view') }
    return { ...view, view_id: (await ask(weir, 'teams.shareView', view)).id }
  },
  'teams.update': async (weir) => ({ id: await team(weir) }),
  'teams.putMember': async (weir) => ({
    id: await team(weir),
    username: (await storage(weir).users.find(1))?.username,
  }),
  'groups.set': async () => ({ name: fresh('group'), ratio: 1 }),
  'prices.set': async () => ({ model: fresh('model'), price: { model_ratio: 1 } }),
  'devices.begin': async () => ({ name: fresh('program') }),
  'alerts.create': async (weir) => {
    await noAlerts(weir)
    return { name: fresh('alert'), kind: 'spend', threshold: 5 }
  },
  'alerts.update': async (weir) => {
    await noAlerts(weir)
    return { id: (await ask(weir, 'alerts.create', { name: fresh('alert'), kind: 'spend', threshold: 5 })).id }
  },
  'auth.providerCreate': async () => provider(),
  'auth.providerUpdate': async (weir) => {
    const made = provider()
    await ask(weir, 'auth.providerCreate', made)
    return made
  },
}

/** Bodies of which nothing is kept as it came: who asks, what is chosen, sent elsewhere or checked and forgotten. */
const KEPT_NOT =
  /^(site\.setup|backups|auth\.(?!provider)|devices\.(answer|token)|tokens\.manage|users\.(topUp|manage|deleteMany|updateSelf|affTransfer)|topups|redemptions\.redeem|usage\.rebuild|tasks\.manage|teams\.(transfer|adjust|accept|decline)|settings\.(testMail|readWellKnown)|quota\.retry|imports|state|alerts\.(test|preview)|bodies|logs\.move)/
const CHOOSES =
  /^(channels\.(deleteMany|manageKeys|enableTag|disableTag|switchMany|fetchModelsNew|consequences|try)|settings\.update|groups\.remove|prices\.(apply|preview|remove|undo))/
/** They ask somebody outside. */
const OUTSIDE = ['channels.fetchModels', 'site.release']

let made = 0
const fresh = (prefix: string) => `${prefix}${(made += 1)}`
const channelForm = () => ({ name: fresh('c'), type: 1, key: 'k', models: 'gpt-4o-mini', group: 'default' })
const provider = () => ({
  ...{ id: fresh('provider-'), name: 'A provider', client_id: 'me', well_known: 'https://id.example/.well-known' },
})
const storage = (weir: TestGateway) => weir.gateway.ports.storage
const channel = async (weir: TestGateway) => (await storage(weir).channels.insert([newChannel()]))[0]?.id ?? 0
const token = async (weir: TestGateway) => (await ask(weir, 'tokens.create', { name: 'a token' })).id
/** There is a bound on their number. */
async function noAlerts(weir: TestGateway) {
  for (const { id } of await ask(weir, 'alerts.list', {})) await ask(weir, 'alerts.delete', { id })
}
const team = async (weir: TestGateway) => (await ask(weir, 'teams.create', { name: fresh('team') })).id
const redemption = async (weir: TestGateway) => {
  await ask(weir, 'redemptions.create', { name: 'a code', quota: 5 })
  return (await storage(weir).redemptions.list('', { offset: 0, limit: 1 })).items[0]?.id ?? 0
}
async function tag(weir: TestGateway) {
  const name = fresh('tag')
  await storage(weir).channels.insert([newChannel({ tag: name })])
  return name
}

/** Any endpoint by its full name, asked by the terminal. */
const ask = ({ gateway }: TestGateway, name: string, input: object): Promise<Json> => {
  const [feature = '', call = ''] = name.split('.')
  const calls = gateway.client as unknown as Record<string, Record<string, (input: object) => Promise<Json>>>
  return calls[feature]![call]!(input)
}

/** What came of it; anything but a refusal with a reason is a failure. */
async function accepted(work: Promise<unknown> | undefined, what: string): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    expect(error, what).toBeInstanceOf(GatewayError)
    expect((error as GatewayError).kind, `${what}: ${String((error as GatewayError).detail ?? error)}`).not.toBe('bug')
    return false
  }
}

/** Writes values to one field; returns how many were taken. */
async function write(weir: TestGateway, name: string, field: string, turn: number): Promise<number> {
  let taken = 0
  let base: Record<string, unknown> | undefined
  for (const value of listValues(turn)) {
    base ??= (await WRITERS[name]?.(weir)) ?? {}
    const what = `${name} ${field} ${JSON.stringify(value)?.slice(0, 40)}`
    const done = await accepted(ask(weir, name, { ...base, [field]: value }), what)
    // A refused write has left its rows as they were, for the next.
    if (done) base = undefined
    const kept = endpointsByName.get(name)?.body?.shape[field]?.safeParse(value)?.data === value
    if (kept && UNSTORABLE.includes(value as string)) expect(done, what).toBe(false)
    if (done) taken += 1
  }
  return taken
}

/** Everything that was written since the last reading stands on one page, with the rows that a field may yet add. */
const MOST_WRITTEN = MAX_PAGE_SIZE - listValues(0).length - 2
const PAGE = { page_size: MAX_PAGE_SIZE, size: MAX_PAGE_SIZE }

/** Asks everything that reads; rows of one id are the same wherever they are shown. */
async function readAll(weir: TestGateway, what: string, rows: number): Promise<void> {
  for (const [name, { method, changes, params }] of endpointsByName) {
    if (method !== 'GET' || changes || params || OUTSIDE.includes(name)) continue
    const input = name === 'channels.route' ? { model: 'gpt-4o-mini' } : { ...PAGE, user_id: 1 }
    await accepted(ask(weir, name, input), `${name} after ${what}`)
  }
  for (const [list, get] of [
    ['channels.list', 'channels.get'],
    ['tokens.list', 'tokens.get'],
    ['users.list', 'users.get'],
    ['redemptions.list', 'redemptions.get'],
  ] as const) {
    const page = await ask(weir, list, PAGE)
    // The newest, which these fields were written to last; of what it was not written to, one.
    const written = list.split('.')[0] === what.split('.')[0]
    for (const row of (page.items ?? page.data).slice(0, written ? rows : 1)) {
      // Of a token's key its list has the ends alone.
      const one = await ask(weir, get, { id: row.id })
      const shown = list === 'tokens.list' ? { ...one, key: formatKeyEnds(one.key) } : one
      expect(shown, `${get} after ${what}`).toEqual(row)
    }
  }
}

const FILTERS = [2 ** 31, 2 ** 53, -1e308, 'x'.repeat(5000)]

describeWithOwnGateway('a value that was stored', (weir) => {
  it('comes from an endpoint that is tried here', () => {
    const taking = [...endpointsByName].filter(
      ([name, { body }]) => body && !KEPT_NOT.test(name) && !CHOOSES.test(name),
    )
    expect(Object.keys(WRITERS).sort()).toEqual(taking.map(([name]) => name).sort())
  })

  it.each(sampleCases(Object.keys(WRITERS), 2))('by %s can be read everywhere', { timeout: 300_000 }, async (name) => {
    const fields = Object.keys(endpointsByName.get(name)?.body?.shape ?? {}).filter((field) => !/^ids?$/.test(field))
    let together: string[] = []
    let rows = 0
    for (const [index, field] of fields.entries()) {
      together.push(field)
      rows += await write(weir, name, field, index)
      // A field may leave one more row that no value was taken for.
      if (rows + together.length < MOST_WRITTEN && index < fields.length - 1) continue
      if (rows > 0) await readAll(weir, `${name} ${together.join(', ')}`, rows + together.length)
      const ids = (await storage(weir).channels.all()).map(({ id }) => id)
      if (ids.length > 0) await ask(weir, 'channels.deleteMany', { ids })
      together = []
      rows = 0
    }
  })

  it('is never a filter of a list that fails', { timeout: 300_000 }, async () => {
    let turn = 0
    for (const [name, { query, changes, access }] of endpointsByName) {
      if (!query || changes || access === 'public' || OUTSIDE.includes(name)) continue
      for (const field of Object.keys(query.shape)) {
        turn += 1
        for (const value of [...UNSTORABLE, ...pickInTurn(FILTERS, turn, 1)]) {
          const base = name === 'channels.route' ? { model: 'm' } : { user_id: 1 }
          await accepted(ask(weir, name, { ...base, [field]: value }), `${name} ${field} ${String(value).slice(0, 40)}`)
        }
      }
    }
  })
})
