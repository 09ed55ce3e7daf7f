// Administrators are not root: the settings that they may write, and the endpoints that require reauthentication, by
// their declarations.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import type { Setting, SettingWriter } from '../../core/settings/setting.ts'
import { describeWithOwnGateway, ROOT, type TestGateway } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'

const settings = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
const writtenBy = (wanted: SettingWriter) => settings.flatMap(([key, { writer }]) => (writer === wanted ? [key] : []))

/** A new setting stands here, or is declared as root's. */
const ADMIN = `
  SystemName Logo ThemeColor Footer Notice About HomePageContent general_setting.docs_link DefaultCollapseSidebar DemoSiteEnabled
  DrawingEnabled TaskEnabled DataExportEnabled DataExportInterval DataExportDefaultTime
  EmailDomainRestrictionEnabled EmailAliasRestrictionEnabled EmailDomainWhitelist
  DisplayInCurrencyEnabled DisplayTokenStatEnabled QuotaRemindThreshold
  AutomaticDisableChannelEnabled AutomaticDisableKeywords AutomaticEnableChannelEnabled ChannelDisableThreshold
  StreamCacheQueueLength channels.test_minutes channels.test_which channels.cooldown_failures channels.cooldown_seconds
  channels.affinity_enabled
  log.slow_call_seconds relay.head_seconds relay.max_calls relay.stop_seconds relay.usage_cost
  RetryTimes FallbackModels relay.first_content_seconds relay.idle_timeout_seconds relay.hang_up_seconds relay.max_body_megabytes
  global.pass_through_request_enabled general_setting.ping_interval_enabled general_setting.ping_interval_seconds
  bodies.keep_hours bodies.kilobytes bodies.per_user bodies.megabytes_per_user bodies.megabytes
  responses.sockets_per_user responses.keep_hours responses.keep_megabytes responses.keep_per_user responses.keep_megabytes_per_user
  ModelRequestRateLimitEnabled ModelRequestRateLimitDurationMinutes ModelRequestRateLimitCount
  ModelRequestRateLimitSuccessCount ModelRequestRateLimitGroup RateLimits
  CheckSensitiveEnabled CheckSensitiveOnPromptEnabled StopOnSensitiveEnabled SensitiveWords
  teams.per_user tasks.open_per_user tasks.forget_minutes
  MjNotifyEnabled MjAccountFilterEnabled MjForwardUrlEnabled MjModeClearEnabled MjActionCheckSuccessEnabled
  gemini.safety_settings gemini.version_settings gemini.supported_imagine_models gemini.thinking_adapter_enabled
  gemini.thinking_adapter_budget_tokens_percentage
  claude.model_headers_settings claude.default_max_tokens claude.prompt_caching claude.thinking_adapter_enabled
  claude.thinking_adapter_budget_tokens_percentage`
const PROVEN_ADMIN = `
  SelfUseModeEnabled PasswordLoginEnabled PasswordRegisterEnabled RegisterEnabled EmailVerificationEnabled
  InvoiceSeller Price MinTopUp TopupGroupRatio stripe.currency stripe.price
  ReportTimeZone QuotaPerUnit QuotaForNewUser QuotaForInvitee QuotaForInviter StrictHold PreConsumedQuota relay.hang_up
  ModelRatio ModelPrice CompletionRatio CacheRatio CreateCacheRatio AudioRatio AudioCompletionRatio ImageRatio
  models.facts AudioInputPrice VideoPrice ToolPrice ImageMultiplier PriceTiers GroupRatio GroupGroupRatio UserUsableGroups
  LogConsumeEnabled LogRetentionDays log.error_days log.event_days`
const words = (text: string) => text.trim().split(/\s+/)

/** What changes something and asks for no proof: the own small things, what is undone as easily, what proves by itself. */
const UNPROVEN = `
  bodies.switchOff bodies.delete alerts.create alerts.update alerts.delete alerts.test alerts.preview
  auth.login auth.logout auth.register auth.verification auth.resetRequest auth.reset auth.oauth
  auth.loginCode auth.stepUp auth.stepUpPasskey auth.passkeyAsk auth.passkeyLogin
  channels.create channels.update channels.delete channels.test channels.testAll channels.updateBalance
  channels.updateBalances channels.fetchModelsNew channels.copy channels.deleteDisabled channels.deleteMany
  channels.tagMany channels.updateTag channels.enableTag channels.disableTag channels.repair channels.try
  channels.switchMany channels.consequences channels.addKeys channels.manageKeys prices.preview tokens.manage
  logs.cleanUp usage.rebuild redemptions.delete redemptions.redeem site.setup
  tokens.create tokens.update tokens.delete topups.amount topups.note topups.pay
  users.updateSelf users.setting users.testNotice users.affTransfer users.endSession users.endSessions
  users.endSessionsOf   users.deleteAccessToken users.revokeAccessToken users.endThisAccessToken devices.begin devices.token
  teams.update teams.delete teams.decline teams.withdraw teams.shareView teams.renameView teams.deleteView`

/** A session of this user that was proven long ago. */
async function stale(weir: TestGateway, username: string, password: string): Promise<Visitor> {
  const visitor = weir.visitor()
  await visitor.login(username, password)
  const current = (await visitor.client.users.sessions()).find((session) => session.current)
  await weir.gateway.ports.storage.sessions.update(current?.id ?? 0, { proven_time: 1_700_000_000 })
  return visitor
}

describeWithOwnGateway('an administrator who is not root', (weir) => {
  it('may write these settings and no others', () => {
    expect(writtenBy('admin').sort()).toEqual(words(ADMIN).sort())
    expect(writtenBy('proven_admin').sort()).toEqual(words(PROVEN_ADMIN).sort())
    for (const [key, { secret, writer }] of settings) if (secret) expect(writer, key).toBe('root')
  })

  it('every setting × role × freshness: is written or refused as it is declared', async () => {
    const [ada, bob] = [await weir.addVisitor({ patch: { role: 10 } }), await weir.addVisitor()]
    const sessions = {
      user: bob as Visitor,
      'stale admin': await stale(weir, ada.user.username, ada.password),
      admin: ada as Visitor,
      'stale root': await stale(weir, ROOT.username, ROOT.password),
      root: weir.root,
    }
    const done = undefined
    const wanted: Record<SettingWriter, Record<keyof typeof sessions, string | undefined>> = {
      admin: { user: 'access.forbidden', 'stale admin': done, admin: done, 'stale root': done, root: done },
      proven_admin: {
        ...{ user: 'access.forbidden', 'stale admin': 'access.step_up', admin: done },
        ...{ 'stale root': 'access.step_up', root: done },
      },
      root: {
        ...{ user: 'access.forbidden', 'stale admin': 'setting.root_only', admin: 'setting.root_only' },
        ...{ 'stale root': 'access.step_up', root: done },
      },
    }
    const before = weir.gateway.settings()
    // What it is already: a change that is let through changes nothing.
    const change = ([key, { value }]: (typeof settings)[number]) => {
      const current = value.encode(before[key as 'Price'])
      return { key, value: current === '' ? null : current }
    }
    for (const [who, visitor] of Object.entries(sessions)) {
      for (const [writer, byWho] of Object.entries(wanted)) {
        const own = settings.filter(([, declaration]) => declaration.writer === writer).map(change)
        const refusal = byWho[who as keyof typeof sessions]
        // Each alone where it is refused, all at once where they are written.
        for (const options of refusal === done ? [own] : own.map((each) => [each])) {
          const { json } = await visitor.send('PUT', '/api/option/', { body: { options } })
          expect([json.success, json.code], `${options[0]?.key} by ${who}`).toEqual([refusal === done, refusal])
        }
      }
    }
    expect(weir.gateway.settings()).toEqual(before)
  })

  it('every endpoint × fresh proof: what moves money or secrets asks a session for one, before it reads anything', async () => {
    const changing = [...endpointsByName].filter(([, { method, changes }]) => method !== 'GET' || changes)
    const undecided = changing.flatMap(([name, { proof }]) => (proof === undefined ? [name] : []))
    expect(undecided.sort()).toEqual(words(UNPROVEN).sort())
    const root = await stale(weir, ROOT.username, ROOT.password)
    for (const [name, { proof, method, path, changes }] of changing) {
      if (proof !== true) continue
      for (const way of changes ? [method, 'POST'] : [method]) {
        const body = way === 'GET' || way === 'DELETE' ? {} : { body: {} }
        const { json } = await root.send(way, path.replace(/\{\w+\}/g, '1'), body)
        expect(json.code, `${name} ${way}`).toBe('access.step_up')
      }
    }
  })

  it('asks for a proof in the cases that are declared, and not in the others', async () => {
    const { user } = await weir.addUser({ quota: 70 })
    const { items } = await weir.root.client.redemptions
      .create({ name: 'code', quota: 5, count: 1 })
      .then(() => weir.root.client.redemptions.list())
    const id = items[0]?.id
    const { user: admin } = await weir.addUser({ patch: { role: 10 } })
    const { user_code } = await weir.visitor().client.devices.begin({ name: 'a terminal' })
    const answer = (allow: boolean) => ['POST', '/api/device/request', { user_code, allow }] as const
    const manage = (action: string, id = user.id) => ['POST', '/api/user/manage', { id, action }] as const
    const edit = (change: object) => ['PUT', '/api/user/', { id: user.id, ...change }] as const
    const cases = {
      'devices.answer': { asked: [answer(true)], free: [answer(false)] },
      'users.update': {
        asked: [edit({ password: 'a new password' }), edit({ quota: 71 }), edit({ quota: 0, quota_before: 70 })],
        free: [edit({ quota: 70 }), edit({ display_name: 'Ada' })],
      },
      'users.manage': {
        asked: [manage('promote'), manage('demote', admin.id), manage('delete')],
        free: [manage('disable'), manage('enable')],
      },
      'redemptions.update': {
        asked: [['PUT', '/api/redemption/', { id, quota: 6 }] as const],
        free: [
          ['PUT', '/api/redemption/', { id, quota: 5, name: 'renamed' }] as const,
          ['PUT', '/api/redemption/?status_only=1', { id, status: 2 }] as const,
        ],
      },
      'teams.removeMember': {
        asked: [['DELETE', `/api/team/1/member/${user.id}`, undefined] as const],
        free: [],
      },
      'settings.update': {
        asked: [['PUT', '/api/option/', { key: 'Price', value: '1' }] as const],
        free: [['PUT', '/api/option/', { key: 'Notice', value: 'hello' }] as const],
      },
      'auth.oauthState': { asked: [['POST', '/api/oauth/state', {}] as const], free: [] },
      'auth.oauthStart': { asked: [['POST', '/api/oauth/github/start', {}] as const], free: [] },
      'auth.wechat': { asked: [['POST', '/api/oauth/wechat?code=1', {}] as const], free: [] },
      'auth.telegram': { asked: [['POST', '/api/oauth/telegram/login?id=1&hash=h', {}] as const], free: [] },
    }
    const declared = [...endpointsByName].flatMap(([name, { proof }]) => (typeof proof === 'object' ? [name] : []))
    expect(Object.keys(cases).sort()).toEqual(declared.sort())
    await weir.set('GitHubClientId', 'weir')
    await weir.set('GitHubOAuthEnabled', true)
    const root = await stale(weir, ROOT.username, ROOT.password)
    const before = await weir.gateway.ports.storage.users.find(user.id)
    for (const [name, { asked }] of Object.entries(cases)) {
      for (const [method, path, body] of asked) {
        const { json } = await root.send(method, path, { body })
        expect(json.code, `${name} ${JSON.stringify(body)}`).toBe('access.step_up')
      }
    }
    expect(await weir.gateway.ports.storage.users.find(user.id)).toEqual(before)
    for (const [name, { free }] of Object.entries(cases)) {
      for (const [method, path, body] of free) {
        const { json } = await root.send(method, path, { body })
        expect(json.code, `${name} ${JSON.stringify(body)}`).toBeUndefined()
      }
    }
    await weir.set('Notice', '')
  })

  it('a secret is not told to a new address: it is forgotten with the old one, unless it is given again', async () => {
    const { client } = weir.root
    await client.settings.update({ key: 'ServerAddress', value: 'https://weir.example' })
    const sent = settings.flatMap(([key, { sentTo = [] }]) => sentTo.map((address) => [key, address] as const))
    // Each secret of an address that a setting names.
    expect(sent.map(([, address]) => address).sort()).toEqual(
      [
        'PayAddress',
        'SMTPOAuthTokenURL',
        'SMTPOAuthTokenURL',
        'SMTPServer',
        'SMTPServer',
        'WeChatServerAddress',
        'WorkerUrl',
        'oidc.token_endpoint',
        'oidc.well_known',
      ].sort(),
    )
    const secretOf = (key: string) => weir.gateway.settings()[key as 'EpayKey']
    for (const [secret, address] of sent) {
      const set = (...options: { key: string; value: string }[]) => client.settings.update({ options })
      const [one, two] = [
        { key: address, value: 'https://one.example' },
        { key: address, value: 'https://two.example' },
      ]
      // Before there is an address, it was sent nowhere.
      await set({ key: secret, value: 'first' })
      await set(one)
      expect(secretOf(secret), address).toBe('first')
      await set(one, { key: secret, value: '' })
      expect(secretOf(secret), address).toBe('first')
      await set(two, { key: secret, value: 'second' })
      expect(secretOf(secret), address).toBe('second')
      await set(one, { key: secret, value: '' })
      expect(secretOf(secret), address).toBe('')
      await set({ key: secret, value: 'third' })
      await client.settings.update({ key: address, value: null })
      expect(secretOf(secret), address).toBe('')
    }
    const { items } = await client.audit.list()
    expect(items.filter(({ target }) => target === 'WorkerValidKey').length).toBeGreaterThan(3)
    await client.settings.update({ key: 'ServerAddress', value: null })
  })

  it('nor is the secret of an own sign-in service', async () => {
    const { client } = weir.root
    const acme = { id: 'acme', name: 'Acme', client_id: 'weir', well_known: 'https://one.example/x' }
    const kept = async () => (await weir.gateway.ports.storage.loginServices.find('acme'))?.client_secret
    await client.auth.providerCreate({ ...acme, client_secret: 'first' })
    await client.auth.providerUpdate({ ...acme, name: 'Acme again' })
    expect(await kept()).toBe('first')
    await client.auth.providerUpdate({ ...acme, well_known: 'https://two.example/x' })
    expect(await kept()).toBe('')
    await client.auth.providerDelete({ provider_id: 'acme' })
  })
})
