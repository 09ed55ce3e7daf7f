// Fills an installation for whoever looks at the console: people of every role, groups, channels, tokens, teams and a log.
// By hand: `npm run seed -- FOLDER [--rows 60]`, then `npx weir serve --data FOLDER`.
import { parseArgs } from 'node:util'
import { connectSqlite } from '../../../core/adapters/knex/connection/connection.ts'
import { createTokenStore } from '../../../core/adapters/knex/accounts/tokens.ts'
import { openGateway } from '../../../core/adapters/node.ts'
import { createEmptyHour, SECONDS_PER_HOUR, type ChannelHour } from '../../../core/channels/channel-hours.ts'
import { readConfig } from '../../../core/adapters/read-config.ts'
import type { Gateway } from '../../../core/gateway.ts'
import { ApiRateSettings } from '../../../core/settings/network.ts'
import { startServer } from '../../../http/start.ts'
import { createVisitor } from '../../support/server.ts'
import { addMoney } from './seed-money.ts'
import { addMonths, MONTHS_END } from './seed-months.ts'
import { CUSTOMERS, MODELS, named, PROGRAMS, PROVIDERS, TEAMS } from './seed-names.ts'

export const PASSWORD = 'a good password'
/** Who walks: their names in the order of their ids, which begin with 1. */
export const PEOPLE = { root: 'root', admin: 'grace', user: 'ada' } as const
export type Person = keyof typeof PEOPLE
/** Somebody who may be banned and deregistered: nobody walks as them. The next id. */
const SPARE = 'linus'

export const GROUPS = 40
/** As long as the server takes it. */
const LONG = 'billing-reports-for-the-whole-o'.slice(0, 30)
const LONG_CHANNEL = 'A channel whose operator wanted to write down everything about it in its name'

/** What is nobody's phrase but data, whatever the language. */
export const DATA = new RegExp(
  [
    LONG,
    LONG_CHANNEL,
    'Customers: ',
    // A log keeps the words in which it was written.
    'Quota changed by',
    'Ada, also',
    'sandbox',
    'team-of-customers',
    'team of \\w+',
    '中文',
    'English',
    '^sk-',
    'Weir',
    '^(RPM|TPM)',
  ].join('|'),
)

const HOURS_BEFORE = 24
/** Of teams the first ones have tokens. */
const TEAMS_AT_WORK = 4
const FIRST_TEAM = 1000
const TEAM_IDS = Array.from({ length: TEAMS_AT_WORK }, (_, index) => FIRST_TEAM + 1 + index)

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** `rows` of everything that is listed: channels, and tokens, teams and calls of each of the people. */
export async function seed(data: string, rows: number): Promise<void> {
  const config = { ...readConfig({ data, log_level: 'silent' }, {}, false), port: 0 }
  const gateway = await openGateway(config)
  await setUp(gateway)
  if (rows > 2) {
    await fillTables(data, rows - 2, gateway)
    await sumUp(gateway)
  }
  await gateway.close()
  if (rows === 0) return
  await fillOwnTime(data, Math.max(1, rows - 2))
  const again = await openGateway(config)
  await addChannels(again, rows)
  await addMoney(again, [1, 2, 3], rows, NOWHERE)
  const server = await startServer(again, config)
  try {
    for (const person of Object.values(PEOPLE)) await useIt(server.url, person, rows)
  } finally {
    await server.close()
  }
}

/** What kept in the log of the last days is in the usage, too. */
async function sumUp({ client }: Gateway): Promise<void> {
  await client.usage.rebuild({ from: String(now() - MONTHS_END) })
  while ((await client.usage.rebuildProgress()).running) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function setUp({ client, ports }: Gateway): Promise<void> {
  await client.site.setup({ username: PEOPLE.root, password: PASSWORD, confirmPassword: PASSWORD })
  const names = Array.from({ length: GROUPS - 2 }, (_, index) => `team-of-customers-${index + 1}`)
  const groups = ['default', 'vip', ...names]
  const open = Object.fromEntries(Object.keys(ApiRateSettings.shape).map((name) => [name, [0, 60]]))
  const options = {
    ApiRateLimits: JSON.stringify(open),
    GroupRatio: JSON.stringify(Object.fromEntries(groups.map((name, index) => [name, index === 1 ? 0.8 : 1]))),
    UserUsableGroups: JSON.stringify(Object.fromEntries(groups.map((name) => [name, `Customers: ${name}`]))),
    QuotaForNewUser: '50000000',
    QuotaForInviter: '2500000',
    StrictHold: 'false',
    MjForwardUrlEnabled: 'false',
  }
  await client.settings.update({ options: Object.entries(options).map(([key, value]) => ({ key, value })) })
  const { id } = await client.users.create({ username: PEOPLE.admin, password: PASSWORD })
  await client.users.manage({ id, action: 'promote' })
  await client.users.create({ username: PEOPLE.user, password: PASSWORD, display_name: 'Ada, also a Countess' })
  await client.users.create({ username: SPARE, password: PASSWORD })
  const owner = await ports.storage.users.findRoot()
  await client.users.update({ id: owner?.id ?? 0, quota: 500_000_000 })
}

async function addChannels({ client, ports }: Gateway, rows: number): Promise<void> {
  const answers = { type: 1000, models: 'sandbox-small,sandbox-large', group: 'default,vip' }
  await client.channels.create({ ...answers, name: rows > 1 ? LONG_CHANNEL : 'main', key: '' })
  if (rows < 3) return
  const busy = JSON.stringify({ sandbox: { status: 429 } })
  await client.channels.create({ ...answers, name: 'always busy', key: '', setting: busy, priority: 10 })
  const [main] = await ports.storage.channels.all()
  const { id: _, slug: ___, used_quota: __, ...fields } = main!
  // The last are listed first, so these count down.
  const more = Array.from({ length: rows - 2 }, (_each, index) => {
    const n = rows - 2 - index
    const [, type, models] = PROVIDERS[(n - 1) % PROVIDERS.length]!
    return {
      ...fields,
      ...{ type, models, base_url: NOWHERE, used_quota: (n * 7_654_321) % 90_000_000 },
      name: named(
        PROVIDERS.map(([name]) => name),
        n,
      ),
      status: n % 11 === 5 ? 3 : n % 7 === 6 ? 2 : 1,
      tag: n % 4 === 1 ? 'cheap' : null,
      priority: n % 3 === 1 ? 5 : 0,
      ...(n % 5 === 0 ? {} : { response_time: 240 + ((n * 487) % 3200), test_time: now() - n * 60 }),
    }
  })
  const made = await ports.storage.channels.insert(more)
  await ports.storage.channelHours.add(made.slice(-200).flatMap(({ id }) => hoursOf(id)))
}

/** Nobody answers there, and nothing leaves the machine. */
const NOWHERE = 'http://127.0.0.1:9'
const now = () => Math.floor(Date.now() / 1000)

function hoursOf(channel_id: number): ChannelHour[] {
  const begin = Math.floor(now() / SECONDS_PER_HOUR) * SECONDS_PER_HOUR
  return Array.from({ length: HOURS_BEFORE }, (_, ago) => {
    const bad = (channel_id + ago) % 17 === 0
    const answered = (channel_id * 7 + ago * 13) % 40
    const hour = { ...createEmptyHour(channel_id, '', begin - ago * SECONDS_PER_HOUR), answered }
    hour.spans[0] = answered
    if (bad)
      Object.assign(hour, { error_at: hour.hour, error_status: 429, error: 'Rate limit reached' }).failed.limit = 6
    return hour
  })
}

/** Tokens as people make them, and calls with them: answered, streamed, in a roundabout way, and refused. */
async function useIt(url: string, username: string, rows: number): Promise<void> {
  const visitor = createVisitor(url)
  await visitor.login(username, PASSWORD)
  const limited = { remain_quota: 5_000_000, budget_day: 1_000_000 }
  const wanted = [
    ...(rows > 1 ? [{ name: LONG, group: 'vip', ...limited }] : []),
    { name: 'laptop', unlimited_quota: true },
  ]
  const keys: string[] = []
  for (const token of wanted) keys.push(`sk-${(await visitor.client.tokens.create(token)).key}`)
  if (rows === 1) await visitor.client.teams.create({ name: `team of ${username}` })
  const call = (key: string, text: string, more: object = {}) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: text }], ...more }),
    }).then((answer) => answer.text())
  await call(keys[0]!, 'hello')
  if (rows < 3) return
  const aff_code = await visitor.client.users.aff()
  await createVisitor(url).client.auth.register({ username: `${username}friend`, password: PASSWORD, aff_code })
  await call(keys[1]!, 'hello again', { stream: true, model: 'sandbox-large' })
  await call(keys[0]!, 'no [[status=401]]')
}

/** Drawings and music of each of the people: most are done, some under way, some came to nothing. Nothing of it lies elsewhere. */
function ownTimeOf(numbers: string, people: string): string[] {
  const song = `[{"title":"Water over the Weir","audio_url":"/song.mp3","image_url":"/weir.svg","text":"Weir, river, Weir"}]`
  const state = `case n % 7 when 3 then 'IN_PROGRESS' when 5 then 'FAILURE' else 'SUCCESS' end`
  const progress = `case n % 7 when 3 then '42%' else '100%' end`
  const reason = `case n % 7 when 5 then 'Weir: the prompt was refused' else '' end`
  const done = (seconds: string) => `case n % 7 when 3 then 0 else ${seconds} end`
  return [
    `${numbers} insert into tasks (platform, user_id, channel_id, task_id, action, code, status, progress, prompt, prompt_en, image_url,
       fail_reason, quota, created_at, submit_time, finish_time)
     select 'mj', people.id, 1 + n % 9, printf('17300000000%05d', n),
       case n % 4 when 0 then 'UPSCALE' when 1 then 'IMAGINE' when 2 then 'VARIATION' else 'ZOOM' end, 1, ${state}, ${progress},
       'A Weir in the morning, number ' || n, 'A Weir in the morning, number ' || n,
       case when n % 7 in (3, 5) then '' else '/weir.svg' end, ${reason}, 50000, ${now()} - n * 600,
       (${now()} - n * 600) * 1000, ${done(`(${now()} - n * 600 + n % 90) * 1000`)}
     from numbers, ${people}`,
    `${numbers} insert into tasks (user_id, channel_id, platform, action, task_id, status, progress, fail_reason, data, quota,
       created_at, submit_time, finish_time)
     select people.id, 1 + n % 9, 'suno', case n % 3 when 0 then 'LYRICS' else 'MUSIC' end, printf('a1b2c3d4-%08d', n), ${state},
       ${progress}, ${reason}, case when n % 7 in (3, 5) then '' else '${song}' end, 50000, ${now()} - n * 60,
       (${now()} - n * 60) * 1000, ${done(`(${now()} - n * 60 + n % 120) * 1000`)}
     from numbers, ${people}`,
  ]
}

const numbersTo = (rows: number) =>
  `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows})`
const PEOPLE_THERE = `(select id, username from users where id <= 4) as people`

async function fillOwnTime(folder: string, rows: number): Promise<void> {
  const { write, close } = await connectSqlite(folder, silent)
  try {
    for (const sql of ownTimeOf(numbersTo(rows), PEOPLE_THERE)) await write.raw(sql)
    await write.raw('pragma wal_checkpoint(truncate)')
  } finally {
    await close()
  }
}

/** Plain rows, made by the database itself; tokens by their store, for each has a key of its own. */
async function fillTables(folder: string, rows: number, gateway: Gateway): Promise<void> {
  const { ports, client } = gateway
  const database = await connectSqlite(folder, silent)
  const { write, close } = database
  const store = createTokenStore(database, ports.secrets, ports.clock)
  const {
    id,
    slug: ____,
    remain_quota: _,
    used_quota: __,
    accessed_time: ___,
    ...sample
  } = await client.tokens.create({
    name: 'sample',
    unlimited_quota: true,
  })
  await client.tokens.delete({ id })
  const numbers = numbersTo(rows)
  const people = PEOPLE_THERE
  const apart = Math.max(20, Math.floor(172_800 / rows))
  const oneOf = (names: readonly string[], n: string) =>
    `case ${n} % ${names.length} ${names.map((name, index) => `when ${index} then '${name}'`).join(' ')} end`
  try {
    await write.raw('pragma synchronous = off')
    for (const user_id of Object.keys(PEOPLE).map((_, index) => index + 1))
      for (let n = 1; n <= rows; n += 1) {
        const key = ports.random.text(48)
        await store.insert({ ...sample, user_id, key, name: named(PROGRAMS, rows + 1 - n), status: n % 6 ? 1 : 2 })
      }
    for (const sql of [
      `update tokens set unlimited_quota = 1, used_quota = (id * 654321) % 20000000`,
      `${numbers} insert into logs (user_id, created_at, type, content, username, token_name, model_name, quota,
         prompt_tokens, completion_tokens, use_time, channel_id, token_id, "group", other, request_id)
       select people.id, ${now()} - n * ${apart} - people.id * 7, case when n % 9 = 0 then 5 else 2 end, '', people.username,
         ${oneOf(PROGRAMS, 'n')}, ${oneOf(MODELS, '(n * 3)')}, (n * 977) % 50000, (n * 131) % 3000, (n * 53) % 900,
         case (n * 3) % ${MODELS.length} when 2 then 3 + n % 2 when 3 then n % 2 else 2 + n % 9 end,
         1 + n % 30, n % 1000,
         case when n % 3 = 0 then 'vip' else 'default' end,
         '{"model_ratio":2.5,"completion_ratio":4,"group_ratio":1,"frt":412}', printf('20260101%08d%02d', n, people.id)
       from numbers, ${people}`,
      `${numbers} insert into accounts (id, kind) select ${FIRST_TEAM} + n, 'team' from numbers`,
      `${numbers} insert into teams (account_id, name, created_time) select ${FIRST_TEAM} + n, ${oneOf(TEAMS, 'n')} || ' team ' || n, ${now()} - n * 86400 from numbers`,
      `${numbers} insert into team_members (team_id, user_id, role, created_time)
       select ${FIRST_TEAM} + n, people.id, 'owner', ${now()} from numbers, ${people}`,
    ])
      await write.raw(sql)
    const names = Object.values(PEOPLE).map((username, index) => ({ id: index + 1, username }))
    await addMonths(gateway, names, rows < TEAMS_AT_WORK ? [] : TEAM_IDS)
    const charged = 'from logs where logs.user_id = accounts.id and logs.type = 2'
    await write.raw(`update accounts set request_count = (select count(*) ${charged}),
      used_quota = (select coalesce(sum(quota), 0) ${charged}) where kind = 'user'`)
    for (let n = 1; n <= rows; n += 1) {
      const username = named(CUSTOMERS, n)
      const account = { role: 1, group: n % 4 ? 'default' : 'vip', password_hash: '', created_time: now() - n * 7200 }
      await ports.storage.users.insert({ username, display_name: username, ...account })
    }
    await write.raw('pragma wal_checkpoint(truncate)')
  } finally {
    await close()
  }
}

if (process.argv[1]?.endsWith('/seed.ts')) {
  const { values, positionals } = parseArgs({ options: { rows: { type: 'string' } }, allowPositionals: true })
  const folder = positionals[0]
  if (!folder) throw new Error('Which folder? npm run seed -- FOLDER [--rows 60]')
  await seed(folder, Number(values.rows ?? 60))
  process.stdout.write(`${folder} is filled. People: ${Object.values(PEOPLE).join(', ')}. Password: ${PASSWORD}\n`)
}
