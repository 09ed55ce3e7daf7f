// Changing settings: all or nothing, live at once, in every process, and secrets go in but never out.
import { expect, test, vi } from 'vitest'
import { declaredSettings, type Settings } from '../../../core/settings/index.ts'
import { findTextRefusal, type Setting } from '../../../core/settings/setting.ts'
import { createSettingsSnapshot, parseStoredSettings } from '../../../core/settings/snapshot.ts'
import { createFakeClock } from '../../support/clock.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { openMemoryGateway } from '../gateway.ts'

const clock = createFakeClock()
const ada = { user_id: 7, username: 'ada', via: 'session', ip: '203.0.113.7', request_id: 'r7' }
const everything = { action: '', target: '', user_id: 0, start_timestamp: 0, end_timestamp: 0 }
const firstPage = { offset: 0, limit: 100 }

describeWithStorage('the settings', (open, kind) => {
  test('are the defaults where nothing is stored', async () => {
    const { current } = await createSettingsSnapshot(await open(), clock)
    const all = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
    for (const [key, { value }] of all) expect(current()[key as keyof Settings], key).toEqual(value.default)
    expect(Object.isFrozen(current())).toBe(true)
  })

  test('are live when a change resolves', async () => {
    const { current, change } = await createSettingsSnapshot(await open(), clock)
    const before = current()
    await change(
      [
        { key: 'RetryTimes', value: '7' },
        { key: 'GroupRatio', value: '{"default": 1, "vip": 1, "gold": 0.5}' },
      ],
      ada,
    )
    expect(current().RetryTimes).toBe(7)
    expect(current().GroupRatio).toEqual({ default: 1, vip: 1, gold: 0.5 })
    // Who works with the old ones keeps them: prices are frozen for a call.
    expect(before.RetryTimes).toBe(2)
  })

  test('survive a restart', async () => {
    const storage = await open()
    await (await createSettingsSnapshot(storage, clock)).change([{ key: 'SystemName', value: 'Dam' }], ada)
    expect((await createSettingsSnapshot(storage, clock)).current().SystemName).toBe('Dam')
  })

  test('one bad value among several changes nothing', async () => {
    const storage = await open()
    const { current, change } = await createSettingsSnapshot(storage, clock)
    const bad = [
      { key: 'SystemName', value: 'Dam' },
      { key: 'GroupRatio', value: '{"default": -1}' },
    ]
    await expect(change(bad, ada)).rejects.toMatchObject({
      code: 'setting.ratio',
      parameters: { key: { en: 'Group ratio (GroupRatio)' }, at: 'default' },
    })
    await expect(change([...bad.slice(0, 1), { key: 'NoSuch', value: '1' }], ada)).rejects.toMatchObject({
      code: 'setting.unknown',
      parameters: { key: 'NoSuch' },
    })
    expect(current().SystemName).toBe('Weir')
    expect(await storage.settings.all()).toEqual([])
    expect((await storage.audit.list(everything, firstPage)).total).toBe(0)
  })

  test('null makes a setting its default again, also one that changes later', async () => {
    const storage = await open()
    const { current, change } = await createSettingsSnapshot(storage, clock)
    await change([{ key: 'RetryTimes', value: '7' }], ada)
    await change([{ key: 'RetryTimes', value: null }], ada)
    expect(current().RetryTimes).toBe(2)
    expect(await storage.settings.all()).toEqual([])
  })

  test('every change leaves a row of who changed what, with secrets masked', async () => {
    const storage = await open()
    const { change } = await createSettingsSnapshot(storage, clock)
    await change(
      [
        { key: 'SystemName', value: 'Dam' },
        { key: 'SMTPToken', value: 'mail-password' },
        { key: 'RetryTimes', value: '2' },
      ],
      ada,
    )
    await change([{ key: 'SMTPToken', value: null }], ada)
    const { items, total } = await storage.audit.list(everything, firstPage)
    expect(total).toBe(3)
    expect(items.map(({ target, before, after }) => [target, before, after])).toEqual([
      ['SMTPToken', '***', ''],
      ['SMTPToken', '', '***'],
      ['SystemName', 'Weir', 'Dam'],
    ])
    expect(items[0]).toMatchObject({ ...ada, action: 'setting.change', created_at: 1_760_000_000 })
    expect((await storage.audit.list({ ...everything, target: 'SystemName' }, firstPage)).total).toBe(1)
    expect((await storage.audit.list({ ...everything, user_id: 8 }, firstPage)).total).toBe(0)
    expect((await storage.audit.list({ ...everything, end_timestamp: 1_759_999_999 }, firstPage)).total).toBe(0)
  })

  test('a stored text that is bad, or of no setting, counts as not stored', async () => {
    const storage = await open()
    await storage.settings.save([
      { key: 'RetryTimes', value: 'many', secret: false },
      { key: 'OfAnotherVersion', value: '1', secret: false },
      { key: 'SystemName', value: 'Dam', secret: false },
    ])
    const { current } = await createSettingsSnapshot(storage, clock)
    expect(current()).toMatchObject({ RetryTimes: 2, SystemName: 'Dam' })
    expect(current()).not.toHaveProperty('OfAnotherVersion')
  })

  if (kind === 'postgres') {
    test('a change reaches the other processes', async () => {
      const [one, other] = [
        await createSettingsSnapshot(await open(), clock),
        await createSettingsSnapshot(await open(), clock),
      ]
      await one.change([{ key: 'RetryTimes', value: '9' }], ada)
      await vi.waitFor(() => expect(other.current().RetryTimes).toBe(9), { timeout: 5000 })
    })
  }
})

test('the settings endpoint lists every setting, and reads back what it was given', async () => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  const listed = (await gateway.ask(root, 'settings.list')) as { key: string; value: string; set?: boolean }[]
  expect(listed.map(({ key }) => key).sort()).toEqual(Object.keys(declaredSettings).sort())
  // Everything that is listed may be sent back.
  const options = listed.map(({ key, value }) => ({ key, value }))
  const before = gateway.settings()
  await gateway.ask(root, 'settings.update', { options })
  expect(gateway.settings()).toEqual(before)
  for (const { key, value, set } of listed) {
    const secret = (declaredSettings as Record<string, Setting<unknown>>)[key]?.secret
    expect(set !== undefined, key).toBe(secret === true)
    if (secret) expect(value).toBe('')
  }
  await gateway.close()
})

test('what only the super administrator may change, an administrator may not', async () => {
  const gateway = await openMemoryGateway()
  const [admin, root] = [await gateway.as('admin'), await gateway.as('root')]
  const guarded = Object.entries(declaredSettings as Record<string, Setting<unknown>>).filter(
    ([, { writer }]) => writer === 'root',
  )
  expect(guarded.length).toBeGreaterThan(0)
  for (const [key, { value }] of guarded) {
    const change = {
      options: [
        { key: 'SystemName', value: 'Dam' },
        { key, value: value.encode(value.default) },
      ],
    }
    expect(await gateway.refusal(admin, 'settings.update', change), key).toBe('setting.root_only')
    expect(gateway.settings().SystemName).toBe('Weir')
  }
  await gateway.ask(root, 'settings.update', { key: guarded[0]?.[0] ?? '', value: 'https://shop.example' })
  await gateway.ask(admin, 'settings.update', { key: 'SystemName', value: 'Dam' })
  expect(gateway.settings().SystemName).toBe('Dam')
  await gateway.close()
})

test('a change that names nothing, or no setting, is refused', async () => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  expect(await gateway.refusal(root, 'settings.update', {})).toBe('request.nothing')
  expect(await gateway.refusal(root, 'settings.update', { options: [] })).toBe('request.nothing')
  expect(await gateway.refusal(root, 'settings.update', { key: 'Nothing', value: '1' })).toBe('setting.unknown')
  expect(await gateway.refusal(root, 'settings.update', { key: 'RetryTimes', value: '1.5' })).toBe('setting.count')
  await gateway.close()
})

test.each([
  ['json.invalid', { key: 'GroupRatio', value: '{' }],
  ['json.repeated_name', { key: 'ModelRatio', value: '{"a": 1, " a": 2}' }],
  ['setting.base_address', { key: 'ServerAddress', value: 'https://weir.example?x=1' }],
  ['setting.base_address', { key: 'CustomCallbackAddress', value: 'https://weir.example/#/' }],
  ['setting.base_address', { key: 'WeChatServerAddress', value: 'https://wechat.example/?a' }],
  ['setting.own_address', { key: 'CustomCallbackAddress', value: 'https://weir.example/api' }],
  ['setting.own_address', { key: 'ServerAddress', value: 'https://weir.example/console/' }],
  ['setting.no_group', { key: 'GroupRatio', value: '{}' }],
  ['setting.number', { key: 'Price', value: 'a lot' }],
  ['setting.range', { key: 'gemini.thinking_adapter_budget_tokens_percentage', value: '1.5' }],
  ['setting.count', { key: 'general_setting.ping_interval_seconds', value: '0' }],
  ['setting.count', { key: 'ModelRequestRateLimitSuccessCount', value: '0' }],
  ['setting.rate_counts', { key: 'ModelRequestRateLimitGroup', value: '{"vip": [0, 0]}' }],
  ['setting.rate_whose', { key: 'RateLimits', value: '{"everybody": {}}' }],
  ['setting.shape', { key: 'Chats', value: '[1]' }],
  ['field.header', { key: 'claude.model_headers_settings', value: '{"m": {"a\\r\\nb": ["c"]}}' }],
  ['setting.choice', { key: 'DataExportDefaultTime', value: 'year' }],
  ['setting.address', { key: 'ServerAddress', value: 'javascript:alert(1)' }],
  ['setting.well_known', { key: 'oidc.well_known', value: 'id.example' }],
  ['setting.mail_address', { key: 'SMTPFrom', value: 'nobody' }],
  ['setting.domain', { key: 'EmailDomainWhitelist', value: 'gmail.com,nonsense' }],
  ['setting.domain_listed', { key: 'EmailDomainWhitelist', value: 'gmail.com,Gmail.com' }],
  ['setting.currency', { key: 'stripe.currency', value: 'dollars' }],
  ['setting.time_zone', { key: 'PriceTiers', value: '{"m": {"time": [{"time_zone": "Moon", "factor": 2}]}}' }],
  ['setting.needs_server_address', { key: 'PayAddress', value: 'https://pay.example' }],
])('is refused with %s: %j', async (code, input) => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  const before = gateway.settings()
  expect(await gateway.refusal(root, 'settings.update', input)).toBe(code)
  expect(gateway.settings()).toEqual(before)
  await gateway.close()
})

/** Settings that depend on another one: a good state of both, a state in which they conflict, and what counts then. */
const pairs: {
  of: string
  good: Record<string, string>
  conflicting: Record<string, string>
  warning: RegExp
  counts?: [key: string, value: unknown]
}[] = [
  {
    of: 'UserUsableGroups',
    good: { GroupRatio: '{"default":1,"gold":2}', UserUsableGroups: '{"default":"d","gold":"g"}' },
    conflicting: { GroupRatio: '{"default":1}' },
    warning: /group gold .* no ratio/,
    counts: ['UserUsableGroups', { default: 'd' }],
  },
  ...(
    [
      ['GitHubOAuthEnabled', 'GitHubClientId', 'id'],
      ['LinuxDOOAuthEnabled', 'LinuxDOClientId', 'id'],
      ['oidc.enabled', 'oidc.client_id', 'id'],
      ['WeChatAuthEnabled', 'WeChatServerAddress', 'https://wechat.example'],
      ['TelegramOAuthEnabled', 'TelegramBotToken', 'token'],
    ] as const
  ).map(([flag, needed, value]) => ({
    of: flag,
    good: { [flag]: 'true', [needed]: value },
    conflicting: { [needed]: '' },
    warning: /settings before enabling it/,
    counts: [flag, false] as [string, unknown],
  })),
  {
    of: 'TurnstileCheckEnabled',
    good: { TurnstileCheckEnabled: 'true', TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret' },
    conflicting: { TurnstileSiteKey: '' },
    warning: /Turnstile settings/,
    counts: ['TurnstileCheckEnabled', false],
  },
  {
    of: 'EmailVerificationEnabled',
    good: { EmailVerificationEnabled: 'true', SMTPServer: 'mail.example' },
    conflicting: { SMTPServer: '' },
    warning: /No mail server/,
    // Nobody registers unverified because the mail server is missing.
    counts: ['EmailVerificationEnabled', true],
  },
  {
    of: 'EmailDomainRestrictionEnabled',
    good: { EmailDomainRestrictionEnabled: 'true', EmailDomainWhitelist: 'example.com' },
    conflicting: { EmailDomainWhitelist: '' },
    warning: /allowed domains/,
    counts: ['EmailDomainRestrictionEnabled', true],
  },
  {
    of: 'PasswordLoginEnabled',
    good: { PasswordLoginEnabled: 'false', GitHubOAuthEnabled: 'true', GitHubClientId: 'id' },
    conflicting: { GitHubOAuthEnabled: 'false' },
    warning: /Password login stays on/,
    counts: ['PasswordLoginEnabled', true],
  },
  {
    of: 'DemoSiteEnabled',
    good: { DemoSiteEnabled: 'true', SelfUseModeEnabled: 'false' },
    conflicting: { SelfUseModeEnabled: 'true' },
    warning: /Choose one/,
    counts: ['DemoSiteEnabled', false],
  },
]

const permutations = <T>(items: readonly T[]): T[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((others) => [item, ...others]))

test('every setting that conflicts with another is in the list of pairs, or is refused by the specification', () => {
  const conflicting = Object.entries(declaredSettings as Record<string, Setting<unknown>>).filter(
    ([, { conflict, conflictRefused }]) => conflict && !conflictRefused,
  )
  expect(conflicting.map(([key]) => key).sort()).toEqual(pairs.map(({ of }) => of).sort())
})

test.each(pairs)('$of and the settings that it depends on change one call at a time, in any order', async (pair) => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  const put = async (key: string, value: string | null) => {
    const reply = (await gateway.ask(root, 'settings.update', { key, value })) as { data: null; message: string }
    return reply.message
  }
  const stored = async () => {
    const rows = (await gateway.ask(root, 'settings.list')) as { key: string; value: string }[]
    return new Map(rows.map(({ key, value }) => [key, value]))
  }
  for (const order of permutations(Object.entries(pair.good))) {
    let last = ''
    for (const [key, value] of order) last = await put(key, value)
    expect(last, JSON.stringify(order)).toBe('')
    for (const [key, value] of order) {
      const { value: form, secret } = (declaredSettings as Record<string, Setting<unknown>>)[key]!
      expect(gateway.settings()[key as keyof Settings], key).toEqual(form.schema.parse(value))
      if (!secret) expect((await stored()).get(key), key).toBe(form.encode(form.schema.parse(value)))
    }
    for (const [key] of order) await put(key, null)
  }
  for (const [key, value] of Object.entries(pair.good)) await put(key, value)
  for (const [key, value] of Object.entries(pair.conflicting)) {
    // An empty secret keeps the stored one, so it is removed by null.
    const { secret } = (declaredSettings as Record<string, Setting<unknown>>)[key]!
    expect(await put(key, secret ? null : value)).toMatch(pair.warning)
  }
  // What is stored stays, for the form; what counts gives way until both fit again.
  if (pair.counts) expect(gateway.settings()[pair.counts[0] as keyof Settings]).toEqual(pair.counts[1])
  const { value: form } = (declaredSettings as Record<string, Setting<unknown>>)[pair.of]!
  expect((await stored()).get(pair.of)).toBe(form.encode(form.schema.parse(pair.good[pair.of]!)))
  await gateway.close()
})

test('a secret that is removed with its address is reported', async () => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  await gateway.ask(root, 'settings.update', { key: 'SMTPServer', value: 'one.example' })
  await gateway.ask(root, 'settings.update', { key: 'SMTPToken', value: 'secret' })
  const change = { key: 'SMTPServer', value: 'two.example' }
  expect(await gateway.ask(root, 'settings.update', change)).toMatchObject({
    message: expect.stringMatching(/^Saved with a warning: SMTPToken was removed/),
  })
  await gateway.close()
})

test('addresses of this server and names of JSON maps are cleaned, and a wrong place in a JSON text is named', async () => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  const set = (key: string, value: string) => gateway.ask(root, 'settings.update', { key, value })
  for (const path of ['', '/', '/api/user/epay/notify', '/api/user/epay/notify/', '/api/user/stripe/notify']) {
    await set('CustomCallbackAddress', `https://cb.example${path}`)
    expect(gateway.settings().CustomCallbackAddress).toBe('https://cb.example')
  }
  await set('ModelRatio', '{" a ": 1, "b": 2}')
  expect(gateway.settings().ModelRatio).toEqual({ a: 1, b: 2 })
  await expect(set('ModelRatio', '{"a": 1,\n  "b" 2}')).rejects.toThrow('Not a valid JSON string: line 2, column 7')
  gateway.mountAt('/ai')
  await set('ServerAddress', 'https://weir.example/ai/')
  expect(gateway.settings().ServerAddress).toBe('https://weir.example/ai')
  await expect(set('ServerAddress', 'https://weir.example/ai/v1')).rejects.toThrow('does not answer at the path /ai/v1')
  await gateway.close()
})

test('every JSON setting refuses a name that occurs twice, and none of the stored texts is lost by it', async () => {
  const gateway = await openMemoryGateway()
  const root = await gateway.as('root')
  for (const [key, { value }] of Object.entries(declaredSettings)) {
    if (value.kind !== 'json') continue
    const text = value.encode(value.default as never)
    const repeated = text.startsWith('{')
      ? `{"x": {"same": 1, "same": 2}}`
      : '[{"same": "https://a", "same": "https://b"}]'
    expect(await gateway.refusal(root, 'settings.update', { key, value: repeated }), key).toMatch(
      /^(json|setting|field)\./,
    )
    expect(findTextRefusal(key, declaredSettings[key as 'ModelRatio'], text), key).toBeUndefined()
  }
  expect(parseStoredSettings([{ key: 'ModelRatio', value: '{"a": 1, "a": 2}' }]).ModelRatio).toEqual({ a: 2 })
  await gateway.close()
})

test('a reset of the model ratios restores them alone', async () => {
  const gateway = await openMemoryGateway()
  const admin = await gateway.as('admin')
  const { ModelRatio } = gateway.settings()
  const tables = Object.entries(declaredSettings).filter(
    ([, { card, value, writer }]) => card === 'operation.prices' && value.kind === 'json' && writer !== 'root',
  )
  const options = tables.map(([key]) => ({ key, value: '{}' }))
  await gateway.ask(admin, 'settings.update', { options })
  expect(await gateway.ask(admin, 'settings.resetPrices')).toEqual({ data: null, message: 'model ratios reset' })
  const after = tables.map(([key]) => [key, gateway.settings()[key as 'ModelRatio']])
  expect(after).toEqual(tables.map(([key]) => [key, key === 'ModelRatio' ? ModelRatio : {}]))
  const rows = (await gateway.ask(admin, 'audit.list', { action: 'setting.change', target: 'ModelRatio' })) as {
    items: { username: string; after: string }[]
  }
  expect(rows.items.map(({ username }) => username)).toEqual(['the-admin', 'the-admin'])
  expect(rows.items[1]?.after).toBe('{}')
  await gateway.close()
})
