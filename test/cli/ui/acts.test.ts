// Every act of every page on a real Weir: the command that it names is one, takes what the form gives, and does it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPainter } from '../../../cli/output/paint.ts'
import { createPulse } from '../../../cli/ui/pulse.ts'
import { allPages } from '../../../cli/ui/pages/index.ts'
import { createVisitor, startTestServer, type TestServer } from '../../support/server.ts'
import { runHere } from '../../support/terminal.ts'
import { driverHere } from './world.ts'

const ENTER = '\r'
const CLEAR = '\u0015'
const SAVE = '\u0013'

/** What is typed behind the key of each act, and what is on the screen in the end. */
const TYPED: Record<string, Record<string, readonly [typed: string, then: string | RegExp]>> = {
  attention: {
    l: [':attention\r', 'channels enable 1'],
    x: ['y', 'Enabled channel 1'],
  },
  live: {
    t: ['', '|░'],
    b: ['', 'Balance'],
    c: ['', '"receipt_id"'],
  },
  channels: {
    n: [`sandbox${ENTER}second${ENTER}${ENTER}sandbox-small${ENTER}y`, 'Added channel 2 "second"'],
    t: ['y', /second +ok/],
    T: [`${ENTER}y`, /second +ok/],
    d: ['y', 'Disabled channel 2 "second".'],
    e: [
      `${ENTER}${CLEAR}-odd name${ENTER}/key${ENTER}${ENTER}key-one${ENTER}/prio${ENTER}${ENTER}${CLEAR}7${ENTER}${SAVE}y`,
      'Changed channel 2 "-odd name"',
    ],
    K: ['', 'ANSWERED'],
    A: [`key-two${ENTER}y`, /Keys added to channel 2 .*: 1/],
    o: [`${ENTER}y`, /switched off: 1/],
    X: [`${ENTER}y`, /removed from channel 2 .*: 1/],
    b: ['', 'failed'],
    l: [':channels\r', '-odd name'],
    E: [':channels\r', '-odd name'],
    c: [`${CLEAR}third${ENTER}y`, 'Copied channel 2 "-odd name" to 3 "third".'],
    x: ['y', 'Deleted channel 3 "third".'],
  },
  users: {
    N: [`-crew${ENTER}y`, /Made team \d+ "-crew"/],
    a: [`$7${ENTER}y`, 'The balance of team -crew: $0.00 → $7.00'],
    m: [`root${ENTER}owner${ENTER}$5${ENTER}${ENTER}y`, 'root is owner of team -crew'],
    u: [`${ENTER}y`, /last owner|owner/],
    e: [`${CLEAR}the crew${ENTER}y`, 'is called "the crew"'],
    l: ['', 'Closing balance $7.00'],
    n: [
      `alice${ENTER}${ENTER}${ENTER}${ENTER}$5${ENTER}y`,
      /Made user \d+ "alice" with a balance of \$5\.00 and the password \S+/,
    ],
    '/': [`alice${ENTER}`, '/alice 1/1'],
    p: [`a long password${ENTER}y`, 'The password of alice is changed.'],
    R: ['y', 'is an administrator'],
    o: ['', 'No tokens yet'],
    d: ['y', 'is disabled'],
    x: ['y', 'Deregistered user'],
  },
  tokens: {
    n: [`ci${ENTER}$5${ENTER}30d${ENTER}${ENTER}$1${ENTER}y`, /sk-\w{20}/],
    d: ['y', /Disabled|is disabled/],
    e: [`${ENTER}${CLEAR}-ci${ENTER}${SAVE}y`, 'Changed token'],
    v: ['', 'OPENAI_API_KEY'],
    x: ['y', 'Deleted token'],
  },
  models: {
    e: [`${ENTER}${CLEAR}$1.5${ENTER}o${ENTER}${CLEAR}6${ENTER}${SAVE}y`, 'is set and in effect'],
    h: ['', 'BECAME $/1M'],
    u: ['y', 'no longer has its own price'],
    m: ['', /MODEL +SERVED|Every model has a price/],
    p: ['', /Compared with/],
  },
  ledger: {
    v: ['y', 'The ledger holds'],
    t: ['', '|░'],
    b: ['', 'Balance'],
    c: ['', '"receipt_id"'],
    p: ['y', 'signature'],
  },
  tasks: {},
  settings: {
    e: [`${CLEAR}4${ENTER}y`, 'RetryTimes is now 4'],
    D: ['', 'HERE'],
    u: ['y', 'RetryTimes is reset to its default'],
  },
  calls: {
    t: ['', '|░'],
    b: ['', 'Balance'],
    c: ['', '"receipt_id"'],
  },
  usage: {},
  alerts: {
    d: ['y', 'Changed rule'],
    e: [`${ENTER}${CLEAR}full disk${ENTER}${SAVE}y`, 'Changed rule 1 "full disk"'],
    t: ['y', /Sent to|Not notified/],
    v: ['', /would have sent|tried on/],
    h: ['', /BEGAN|No alert/],
    x: ['y', 'Deleted rule'],
  },
  groups: {
    n: [`vip${ENTER}${CLEAR}0.8${ENTER}Important${ENTER}y`, 'The ratio of vip is 0.8'],
    e: [`${ENTER}${CLEAR}0.7${ENTER}${SAVE}y`, 'The ratio of vip is 0.7'],
    x: ['y', 'vip'],
  },
  redemptions: {
    n: [`spring${ENTER}$2${ENTER}1${ENTER}y`, /\w{32}/],
    e: [`w${ENTER}${CLEAR}3usd${ENTER}${SAVE}y`, 'Changed code'],
    d: ['y', 'is disabled'],
    x: ['y', 'Deleted'],
  },
  audit: {},
}
/** The rows that acts are done to. */
const FILTERS: Record<string, string> = {
  models: 'sandbox-small',
  settings: 'RetryTimes',
  groups: 'Important',
  calls: 'type:consumption',
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const env = { WEIR_DATA: server.config.data }
  const made = JSON.parse((await runHere(['init', '--yes', '--json'], { env })).stdout) as { token_key: string }
  await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.token_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] }),
  })
})
afterAll(() => server.close())

it('every act stands in the list', () => {
  const listed = Object.entries(TYPED).map(([page, acts]) => [
    page,
    Object.keys(acts)
      .filter((key) => key !== '/')
      .sort(),
  ])
  expect(listed).toEqual(allPages.map(({ name, actions }) => [name, actions.map(({ key }) => key).sort()]))
})

/** What a page needs to have a row. */
const PREPARED: Record<string, () => Promise<unknown>> = {
  attention: () => server.gateway.ports.storage.channels.update(1, { status: 3 }),
  alerts: () =>
    runHere(['alerts', 'add', '--name', 'disk', '--kind', 'disk', '--threshold', '10'], {
      env: { WEIR_DATA: server.config.data },
    }),
}

it.each(Object.keys(TYPED))('acts of %s', async (name) => {
  await PREPARED[name]?.()
  const { client } = server.gateway
  const pulse = createPulse()
  const rows = async () => (await client.logs.list({ p: 1, page_size: 10 })).items.filter((row) => row.quota > 0)
  while ((await rows()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  pulse.add(await rows())
  const { driver, has, type, screen } = driverHere({
    ports: { client, language: 'en', money: await client.site.status(), pulse },
    paint: createPainter(false),
    size: () => ({ columns: 140, rows: 50 }),
    command: async (words) => {
      const { code, stdout, stderr } = await runHere([...words], { env: { WEIR_DATA: server.config.data } })
      return { code, output: stdout + stderr }
    },
  })
  await driver.start()
  type(`:${name}\r${FILTERS[name] ? `/${FILTERS[name]}\r` : ''}`)
  for (const [key, [typed, then]] of Object.entries(TYPED[name]!)) {
    type(key + typed)
    await has(then)
    expect(screen()).not.toMatch(/key-two|a long password/)
    if (driver.state.over) type('\u001B')
  }
  driver.stop()
})

it('is for administrators', async () => {
  await server.gateway.client.users.create({ username: 'ordinary', password: 'a long password' })
  const { client, login } = createVisitor(server.url)
  await login('ordinary', 'a long password')
  const { token } = await client.users.createAccessToken({ name: 'terminal', scope: 'all' })
  const env = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: token, TERM: 'xterm' }
  const { code, stdout, stderr } = await runHere(['ui'], { env, tty: true })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('`weir ui` is for administrators.')
})

it.each(['TERM=dumb', 'CI=1'])('needs a terminal that can be drawn on: not with %s', async (given) => {
  const [name = '', value = ''] = given.split('=')
  const env = { TERM: 'xterm', WEIR_DATA: server.config.data, [name]: value }
  const { code, stdout, stderr } = await runHere(['ui'], { env, tty: true })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('This needs a terminal')
})
