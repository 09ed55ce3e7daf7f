// Warnings of a low balance: after a charge, by the user's chosen way, and at most once in two hours.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testSecrets } from '../../support/databases.ts'
import { createHmac } from 'node:crypto'
import type { CallCaller } from '../../../core/relay/call.ts'
import { createMessageDelivery } from '../../../core/notify/deliver.ts'
import { createSendMail } from '../../../core/notify/email.ts'
import { createQuotaWarnings } from '../../../core/notify/quota-warning.ts'
import { silent } from '../../support/databases.ts'
import { openCaller, openMemoryGateway, type MemoryGateway } from '../gateway.ts'

let gateway: MemoryGateway
let ada: CallCaller
let look: () => Promise<void>
beforeEach(async () => {
  gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  ada = await openCaller(gateway, { quota: 600_000 })
  const options = Object.entries({
    ServerAddress: 'https://weir.example',
    SMTPServer: 'mail.example',
    SMTPFrom: 'weir@example.com',
  }).map(([key, value]) => ({ key, value }))
  await gateway.ask(root, 'settings.update', { options })
  const { ports, settings, storage, clock } = gateway
  const deliver = createMessageDelivery({
    ...ports,
    sendMail: createSendMail({ ...ports, settings, replaceRefreshToken: async () => undefined }),
  })
  look = createQuotaWarnings({ storage, clock, logger: silent, machine: ports.machine, deliver, settings })
  await look()
})
afterEach(() => gateway.close())

const choose = (setting: object, email = 'ada@example.com') =>
  gateway.storage.users.update(ada.user.id, { email, setting: JSON.stringify(setting) })

/** A charge as the relay makes one. */
async function charge(quota: number): Promise<void> {
  const { storage, clock } = gateway
  const account = await storage.users.find(ada.user.id)
  const entry = { account_id: ada.user.id, token_id: null, kind: 'charge' as const, amount: -quota, hold_id: null }
  const rest = {
    reference: null,
    request_id: null,
    by_user_id: null,
    created_at: Math.floor(clock.now() / 1000),
    detail: null,
    cost: null,
  }
  const none = {
    tokens: [],
    budgets: [],
    channels: [],
    holds: [],
    freed: [],
    shrunk: [],
    logs: [],
    letters: [],
    counters: [],
    places: [],
  }
  const change = { id: ada.user.id, quota: -quota, held: 0, used_quota: quota, request_count: 1, entries_hash: 'h' }
  const earnings = { aff_quota: 0, aff_history: 0, aff_count: 0 }
  const balance_after = (account?.quota ?? 0) - quota
  await storage.ledger.commit({
    ...none,
    accounts: [{ ...change, ...earnings }],
    entries: [{ ...entry, ...rest, balance_after, hash: `h${clock.now()}${quota}` }],
  })
}

test.each([
  ['in English', { language: 'en' }, /^Your quota is running out: \$0\.980000 left\. To go on, [^一-鿿]*$/],
  ['in Chinese', { language: 'zh' }, /^您的额度即将用尽：剩余额度 \$0\.980000，/],
  ['in both languages to who never said', {}, /^Your quota [^一-鿿]* · 您的额度/],
])('a warning is written %s', async (_, setting, text) => {
  await choose(setting)
  await charge(110_000)
  await look()
  expect(gateway.mailer.mails[0]?.text).toMatch(text)
})

test('a charge that leaves less than the threshold is told by mail, with what is left now', async () => {
  await choose({})
  await charge(50_000)
  await look()
  expect(gateway.mailer.mails).toEqual([])
  await charge(60_000)
  await look()
  expect(gateway.mailer.mails).toMatchObject([{ to: ['ada@example.com'] }])
  expect(gateway.mailer.mails[0]?.text).toContain('$0.980000 left')
  expect(gateway.mailer.mails[0]?.text).toContain('https://weir.example/topup')
})

test('nobody is warned twice in two hours', async () => {
  await choose({ notification_email: 'other@example.com', quota_warning_threshold: 590_000 })
  const spend = async () => {
    await charge(20_000)
    await look()
    return gateway.mailer.mails.map(({ to }) => to)
  }
  expect(await spend()).toEqual([['other@example.com']])
  for (const _ of [1, 2]) expect(await spend()).toHaveLength(1)
  gateway.clock.advance(7_199_000)
  expect(await spend()).toHaveLength(1)
  gateway.clock.advance(1_000)
  expect(await spend()).toHaveLength(2)
})

test('who has not been charged is not looked at', async () => {
  await choose({ quota_warning_threshold: 900_000 })
  await look()
  expect(gateway.mailer.mails).toEqual([])
})

test('a webhook gets the same, signed with its own secret, which never travels', async () => {
  await choose({
    notify_type: 'webhook',
    webhook_url: 'https://hook.example/weir',
    webhook_secret: testSecrets.encrypt('shared', ['users.setting', ada.user.id]),
  })
  gateway.web.answer(() => ({ status: 204 }))
  await charge(200_000)
  await look()
  const [request] = gateway.web.requests
  const body = request?.body ?? ''
  expect(request).toMatchObject({ method: 'POST', url: 'https://hook.example/weir', timeout_ms: 5000 })
  expect(request?.headers?.['x-webhook-signature']).toBe(createHmac('sha256', 'shared').update(body).digest('hex'))
  expect(JSON.parse(body)).toMatchObject({ type: 'quota_exceed', timestamp: 1_760_000_000 })
  expect((JSON.parse(body) as { values: string[] }).values).toContain('$0.800000')
  expect(JSON.stringify(request)).not.toContain('shared')
  expect(gateway.mailer.mails).toEqual([])
})

test.each([
  ['no address', {}, ''],
  ['a webhook without https', { notify_type: 'webhook', webhook_url: 'http://hook.example' }, 'ada@example.com'],
])('nothing is sent to %s', async (_, setting, email) => {
  await choose(setting, email)
  await charge(500_000)
  await look()
  expect([gateway.mailer.mails, gateway.web.requests]).toEqual([[], []])
})

test('a place that does not answer stops nobody', async () => {
  await choose({ notify_type: 'webhook', webhook_url: 'https://hook.example' })
  gateway.web.answer(() => ({ status: 500 }))
  await charge(500_000)
  await expect(look()).resolves.toBeUndefined()
})

test('the super administrator is told of channels, twice in ten minutes at most', async () => {
  const root = await gateway.as('root')
  await gateway.storage.users.update(root.user?.id ?? 0, { email: 'root@example.com' })
  for (let round = 1; round <= 3; round += 1) {
    await gateway.ask(root, 'channels.testAll')
    const rounds = async () =>
      (await gateway.storage.logs.list({ type: 4 }, { offset: 0, limit: 9 })).items.filter(({ content }) =>
        content.startsWith('All channels'),
      )
    await vi.waitFor(async () => expect(await rounds()).toHaveLength(round))
    // The run is over once another may begin.
    await vi.waitFor(() => Promise.resolve())
  }
  await vi.waitFor(() => expect(gateway.mailer.mails).toHaveLength(2))
  expect(gateway.mailer.mails[0]).toMatchObject({ to: ['root@example.com'] })
})
