// Alerts on a real database: samples are stored by the quarter of an hour, one of several processes notifies, each
// begin and each end once, and a failed notification is sent again.
import { createHmac } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { AlertRuleForm, RuleWithSecret } from '../../core/alerts/alert.ts'
import { createAlertNotifier } from '../../core/alerts/recipients.ts'
import { createAlertWatch } from '../../core/alerts/watch.ts'
import { GatewayError } from '../../core/errors.ts'
import { createMessageDelivery, createDeliverTo } from '../../core/notify/deliver.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { parseStoredSettings } from '../../core/settings/snapshot.ts'
import { SLOT_SECONDS, SUMMED_MEASURES, getSlotStart } from '../../core/usage/sums.ts'
import { createFakeClock } from '../support/clock.ts'
import { describeWithStorage, silent, testSecrets } from '../support/databases.ts'
import { createMemoryMachine } from '../support/memory-machine.ts'
import { createMemoryMailer, createMemoryWeb } from '../support/memory-web.ts'
import { newChannel, newUser } from './samples.ts'

const MINUTE = 60_000
const settings = parseStoredSettings([{ key: 'ServerAddress', value: 'https://weir.example' }])

/** What processes of one installation share, and what a test changes. */
function world(storage: Storage) {
  const [clock, web, mailer, machine] = [
    createFakeClock(),
    createMemoryWeb(),
    createMemoryMailer(),
    createMemoryMachine(),
  ]
  const owed = { charges: 0, waited_ms: 0, safe: true }
  let isAway = false
  let refused = ''
  const sendMail = async (mail: { to: string; subject: string; text: string; html: string }) => {
    if (mail.to === refused) throw new GatewayError('mail.recipient')
    mailer.mails.push({ ...mail, to: [mail.to], from: { name: '', address: '' } })
  }
  const alerts = new Proxy(storage.alerts, {
    get(store, name): unknown {
      if (isAway) return () => Promise.reject(new Error('the database is away'))
      return Reflect.get(store, name)
    },
  })
  const ports = {
    ...{ storage: { ...storage, alerts }, clock, web, machine, logger: silent, secrets: testSecrets, sendMail },
    settings: () => settings,
    index: { find: (id: number) => (id === 1 ? { name: 'East' } : undefined) } as never,
    rollUp: { flush: async () => undefined },
    ledger: { getBacklog: () => owed },
  }
  const deliverTo = createDeliverTo(ports)
  const open = () => {
    const watch = createAlertWatch({
      ...ports,
      notifyRecipients: createAlertNotifier({ ...ports, deliver: createMessageDelivery(ports), deliverTo }),
    })
    return { ...watch, round: async () => watch.look().then(watch.tellAll) }
  }
  return {
    ...{ clock, web, machine, mailer, getBacklog: owed, open },
    away: (next: boolean) => void (isAway = next),
    refuse: (mail: string) => void (refused = mail),
    told: () => mailer.mails.map(({ to, subject }) => `${to.join()}: ${subject}`),
  }
}

const rule = (
  form: Partial<AlertRuleForm> & Pick<RuleWithSecret, 'kind' | 'threshold'>,
): Omit<RuleWithSecret, 'id' | 'version'> => ({
  ...{ name: 'R', enabled: true, minutes: 60, least: 1, model: '', channel: 0, group: '', root: false },
  ...{
    mails: 'a@example.com',
    webhook_url: '',
    webhook_format: 'weir' as const,
    language: 'en',
    quiet_minutes: 0,
    created_time: 0,
  },
  ...form,
  webhook_secret: form.webhook_secret ?? '',
})

describeWithStorage('alerts', (openStorage) => {
  let storage: Storage
  let at: ReturnType<typeof world>
  beforeEach(async () => {
    storage = await openStorage()
    at = world(storage)
  })
  const now = () => Math.floor(at.clock.now() / 1000)

  /** Calls of a quarter that begins so many quarters before now. */
  async function used(ago: number, calls: number, { failed = 0, quota = 0, model = 'm', channel = 1 } = {}) {
    const counts = SUMMED_MEASURES.map(() => 0)
    counts[SUMMED_MEASURES.indexOf('calls')] = calls
    counts[SUMMED_MEASURES.indexOf('error_server')] = failed
    counts[SUMMED_MEASURES.indexOf('quota')] = quota
    const of = { user_id: 1, token_id: 1, channel_id: channel, group: 'default', model_name: model }
    await storage.usage.add([{ ...of, slot: getSlotStart(now()) - ago * SLOT_SECONDS, counts }])
  }

  test('an error rate is told when it begins and when it is over, each once however many processes look', async () => {
    await storage.alerts.insert(rule({ kind: 'error_rate', threshold: 20, minutes: 30, least: 10 }))
    const processes = [at.open(), at.open(), at.open()]
    const round = () => Promise.all(processes.map((each) => each.round()))
    await used(0, 5, { failed: 5 })
    await round()
    expect(at.told()).toEqual([])
    await used(0, 5)
    await round()
    await round()
    expect(at.told()).toEqual(['a@example.com: Alert: R'])
    expect(at.mailer.mails[0]!.text).toMatch(
      /^50% of the calls of the last 30 minutes failed; the limit is 20%\. Since /,
    )
    at.clock.advance(60 * MINUTE)
    await round()
    await round()
    expect(at.told()).toEqual(['a@example.com: Alert: R', 'a@example.com: Over: R'])
    expect(at.mailer.mails[1]!.text).toMatch(/; at worst 50%\.$/)
    expect(await storage.alerts.open()).toEqual([])
  })

  test('who read an alert before another one has told of it does not tell it again', async () => {
    await storage.alerts.insert(rule({ kind: 'error_rate', threshold: 20, minutes: 30, least: 10 }))
    const [known] = await storage.alerts.rules()
    await storage.alerts.begin({ rule_id: known!.id, subject: '', began_at: now(), value: 50, worst: 50 })
    const [stale] = await storage.alerts.listUnnotified()
    expect(await storage.alerts.claim(stale!, 60)).toBe(true)
    expect(await storage.alerts.claim(stale!, 60)).toBe(false)
    await storage.alerts.recordNotification(stale!.id, { told: 'begun', told_at: now() }, 0)
    expect(await storage.alerts.claim(stale!, 60)).toBe(false)
    const [fresh] = await storage.alerts.listUnnotified()
    expect(await storage.alerts.claim(fresh!, 60)).toBe(true)
  })

  test.each([
    [{ model: 'm' }, true],
    [{ model: 'n' }, false],
    [{ channel: 1 }, true],
    [{ channel: 2 }, false],
    [{ group: 'default' }, true],
    [{ group: 'vip' }, false],
  ])('spend is narrowed to %j', async (narrowed, found) => {
    await storage.alerts.insert(rule({ kind: 'spend', threshold: 1, ...narrowed }))
    await used(1, 1, { quota: settings.QuotaPerUnit * 2 })
    await at.open().round()
    expect(at.told()).toHaveLength(found ? 1 : 0)
  })

  test('each channel is an alert of its own, told by its name', async () => {
    const balanced = { balance: 3, balance_updated_time: 1 }
    for (const name of ['East', 'West']) {
      const [channel] = await storage.channels.insert([newChannel({ name })])
      await storage.channels.update(channel!.id, balanced)
    }
    await storage.alerts.insert(rule({ kind: 'provider_balance', threshold: 5 }))
    await at.open().round()
    expect(at.mailer.mails.map(({ text }) => text.slice(0, 60))).toEqual([
      expect.stringContaining('Channel East (#1) has $3.00 left'),
      expect.stringContaining('Channel #2 has $3.00 left'),
    ])
  })

  test('a disk that fills up is told again after the quiet time, and what comes and goes within it is not', async () => {
    await storage.alerts.insert(rule({ kind: 'disk', threshold: 10, quiet_minutes: 30 }))
    const { round } = at.open()
    at.machine.free = 0.05
    await round()
    at.clock.advance(29 * MINUTE)
    await round()
    expect(at.told()).toHaveLength(1)
    at.clock.advance(MINUTE)
    await round()
    expect(at.told().at(-1)).toBe('a@example.com: Still: R')
    at.machine.free = 0.5
    await round()
    expect(at.told().at(-1)).toBe('a@example.com: Over: R')
    at.machine.free = 0.05
    at.clock.advance(MINUTE)
    await round()
    at.machine.free = 0.5
    await round()
    expect(at.told()).toHaveLength(3)
  })

  test('a webhook gets it signed, and the super administrator the way they chose', async () => {
    await storage.users.insert(newUser({ username: 'root', role: 100 }))
    const root = await storage.users.findRoot()
    await storage.users.update(root!.id, { email: 'root@example.com' })
    at.web.answer(() => ({ certificate_ends: at.clock.now() + 3 * 86_400_000 }))
    const webhook = { webhook_url: 'https://hook.example/x', webhook_secret: 'shared' }
    await storage.alerts.insert(
      rule({ kind: 'certificate', threshold: 14, mails: '', root: true, language: 'zh', ...webhook }),
    )
    await at.open().round()
    expect(at.told()).toEqual(['root@example.com: 告警：R'])
    const { body = '', headers } = at.web.requests.find(({ method }) => method === 'POST')!
    expect(headers?.['x-webhook-signature']).toBe(createHmac('sha256', 'shared').update(body).digest('hex'))
    expect(JSON.parse(body)).toMatchObject({
      type: 'alert.begun',
      title: '告警：R',
      content: expect.stringContaining('weir.example 的证书有效期还剩 3 天'),
      values: ['R', 'certificate', 'weir.example', '3', '14', String(now()), '0'],
    })
  })

  test('who could not be told is tried again, and nobody else is told twice', async () => {
    await storage.alerts.insert(rule({ kind: 'disk', threshold: 10, mails: 'a@example.com, b@example.com' }))
    at.machine.free = 0.05
    at.refuse('b@example.com')
    const { round, tellAll } = at.open()
    await round()
    expect(at.told()).toEqual(['a@example.com: Alert: R'])
    const [open] = await storage.alerts.open()
    expect(open).toMatchObject({ told: '', failure: expect.stringContaining('b@example.com') })
    at.refuse('')
    await tellAll()
    expect(at.told()).toHaveLength(1)
    await storage.alerts.recordNotification(open!.id, {}, 0)
    await tellAll()
    expect(at.told()).toEqual(['a@example.com: Alert: R', 'b@example.com: Alert: R'])
    expect(await storage.alerts.open()).toMatchObject([{ told: 'begun', failure: '' }])
  })

  test('while the database is away each process tells what it sees, and afterwards that it is over', async () => {
    await storage.alerts.insert(rule({ kind: 'storage', threshold: 60 }))
    await storage.alerts.insert(rule({ kind: 'owed_charges', threshold: 0, name: 'Owed' }))
    const { look, tellAll } = at.open()
    await look()
    at.away(true)
    Object.assign(at.getBacklog, { charges: 3, waited_ms: 60_000 })
    for (let minute = 0; minute < 5; minute += 1) {
      at.clock.advance(MINUTE)
      await look()
    }
    expect(at.told().sort()).toEqual(['a@example.com: Alert: Owed', 'a@example.com: Alert: R'])
    at.away(false)
    Object.assign(at.getBacklog, { charges: 0, waited_ms: 0 })
    at.clock.advance(16 * MINUTE)
    for (let times = 0; times < 3; times += 1) {
      await look()
      await tellAll()
    }
    expect(at.told().sort()).toEqual([
      ...[
        'a@example.com: Alert: Owed',
        'a@example.com: Alert: R',
        'a@example.com: Over: Owed',
        'a@example.com: Over: R',
      ],
    ])
    expect(await storage.alerts.history(10)).toHaveLength(2)
  })

  test('a quarter of an hour keeps its newest and its worst value', async () => {
    const { look } = at.open()
    for (const free of [0.5, 0.2, 0.4]) {
      at.machine.free = free
      await look()
    }
    const [sample] = await storage.alerts.samples('disk', 0, now() + 1)
    expect(sample).toMatchObject({ subject: 'host:/data', at: getSlotStart(now()) })
    expect([sample!.value, sample!.worst].map(Math.round)).toEqual([40, 20])
  })

  test('what is old is forgotten, but not what lasts', async () => {
    await storage.alerts.insert(rule({ kind: 'disk', threshold: 10 }))
    at.machine.free = 0.05
    await at.open().round()
    await storage.alerts.deleteBefore(now() + SLOT_SECONDS)
    expect(await storage.alerts.samples('disk', 0, now() + 1)).toEqual([])
    expect(await storage.alerts.open()).toHaveLength(1)
  })
})
