// That the settings stand where the specification has them: tabs and cards in its order, with their fields, defaults and limits.
import { expect, it } from 'vitest'
import { declaredSettingCards, settingTabTitles } from '../../console/screens/settings/declared.built.ts'
import { allSettingsPages } from '../../console/screens/settings/pages.ts'

/** By tab and card. Cards and fields of our own may stand behind and between them. */
const SPECIFIED: Record<string, Record<string, readonly string[]>> = {
  operation: {
    general: [
      ...['TopUpLink', 'general_setting.docs_link', 'QuotaPerUnit', 'RetryTimes'],
      ...['DisplayInCurrencyEnabled', 'DisplayTokenStatEnabled', 'DefaultCollapseSidebar'],
      ...['DemoSiteEnabled', 'SelfUseModeEnabled'],
    ],
    groups: ['GroupRatio', 'UserUsableGroups'],
    prices: ['ModelPrice', 'ModelRatio', 'CacheRatio', 'CompletionRatio'],
    chat: ['Chats'],
    quota: ['QuotaForNewUser', 'PreConsumedQuota', 'QuotaForInviter', 'QuotaForInvitee'],
    drawing: [
      ...['DrawingEnabled', 'MjNotifyEnabled', 'MjAccountFilterEnabled', 'MjForwardUrlEnabled'],
      ...['MjModeClearEnabled', 'MjActionCheckSuccessEnabled'],
    ],
    sensitive: ['CheckSensitiveEnabled', 'CheckSensitiveOnPromptEnabled', 'SensitiveWords'],
    logs: ['LogConsumeEnabled'],
    dashboard: ['DataExportEnabled', 'DataExportInterval', 'DataExportDefaultTime'],
    monitoring: [
      ...['ChannelDisableThreshold', 'QuotaRemindThreshold', 'AutomaticDisableChannelEnabled'],
      ...['AutomaticEnableChannelEnabled', 'AutomaticDisableKeywords'],
    ],
  },
  ratelimit: {
    requests: [
      ...['ModelRequestRateLimitEnabled', 'ModelRequestRateLimitDurationMinutes', 'ModelRequestRateLimitCount'],
      ...['ModelRequestRateLimitSuccessCount', 'ModelRequestRateLimitGroup'],
    ],
  },
  models: {
    gemini: [
      ...['gemini.safety_settings', 'gemini.version_settings', 'gemini.supported_imagine_models'],
      ...['gemini.thinking_adapter_enabled', 'gemini.thinking_adapter_budget_tokens_percentage'],
    ],
    claude: [
      ...['claude.model_headers_settings', 'claude.default_max_tokens'],
      ...['claude.thinking_adapter_enabled', 'claude.thinking_adapter_budget_tokens_percentage'],
    ],
    global: [
      ...['global.pass_through_request_enabled', 'general_setting.ping_interval_enabled'],
      'general_setting.ping_interval_seconds',
    ],
  },
  system: {
    server: ['ServerAddress'],
    worker: ['WorkerUrl', 'WorkerValidKey', 'WorkerAllowHttpImageRequestEnabled'],
    payment: ['Price', 'MinTopUp', 'TopupGroupRatio', 'CustomCallbackAddress'],
    epay: ['PayAddress', 'EpayId', 'EpayKey'],
    login: [
      ...['PasswordLoginEnabled', 'RegisterEnabled', 'PasswordRegisterEnabled', 'EmailVerificationEnabled'],
      ...['TurnstileCheckEnabled', 'GitHubOAuthEnabled', 'LinuxDOOAuthEnabled', 'oidc.enabled'],
      ...['WeChatAuthEnabled', 'TelegramOAuthEnabled'],
    ],
    email: ['EmailDomainRestrictionEnabled', 'EmailDomainWhitelist', 'EmailAliasRestrictionEnabled'],
    smtp: ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken', 'SMTPSSLEnabled'],
    oidc: [
      ...['oidc.well_known', 'oidc.client_id', 'oidc.client_secret', 'oidc.authorization_endpoint'],
      ...['oidc.token_endpoint', 'oidc.user_info_endpoint'],
    ],
    github: ['GitHubClientId', 'GitHubClientSecret'],
    linuxdo: ['LinuxDOClientId', 'LinuxDOClientSecret'],
    wechat: ['WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL'],
    telegram: ['TelegramBotToken', 'TelegramBotName'],
    turnstile: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  },
  other: { content: ['Notice', 'SystemName', 'Logo', 'HomePageContent', 'About', 'Footer'], version: [] },
}

const cardsOf = (tab: string) => declaredSettingCards.filter((card) => card.tab === tab)
const nameOf = (card: string) => card.slice(card.indexOf('.') + 1)

it('the tabs are those of the specification, the first of them the one that opens', () => {
  expect(Object.keys(settingTabTitles)).toEqual(Object.keys(SPECIFIED))
})

it.each(Object.entries(SPECIFIED))('the tab %s has its cards in the order of the specification', (tab, cards) => {
  const names = cardsOf(tab).map(({ card }) => nameOf(card))
  expect(names.filter((name) => name in cards)).toEqual(Object.keys(cards))
})

it.each(
  Object.entries(SPECIFIED).flatMap(([tab, cards]) =>
    Object.entries(cards).map(([card, keys]) => [`${tab}.${card}`, keys] as const),
  ),
)('the card %s has its fields, in their order', (card, keys) => {
  const own = declaredSettingCards.find((one) => one.card === card)!.settings.map(({ key }) => key)
  expect(own.filter((key) => keys.includes(key))).toEqual(keys)
})

it('every card stands on one page of its tab, and a page shows at most ten fields to begin with', () => {
  const all = allSettingsPages.flatMap(({ tab, cards }) => cards.map((card) => [card.tab === tab, card.card] as const))
  expect(all.filter(([isOwn]) => !isOwn)).toEqual([])
  expect(all.map(([, card]) => card).sort()).toEqual(declaredSettingCards.map(({ card }) => card).sort())
  const sizes = allSettingsPages
    .filter(({ page }) => page !== 'prices')
    .map(({ tab, page, cards }) => {
      const shown = cards.flatMap(({ settings }) => settings).filter((one) => !one.shownWhen || one.kind === 'flag')
      return [`${tab}.${page}`, shown.length] as const
    })
  // The specification gives the page of the login ten checkboxes.
  expect(sizes.filter(([, size]) => size > 10)).toEqual([['system.login', 11]])
})

it.each([
  ['QuotaPerUnit', '500000', 1],
  ['DataExportInterval', '5', 1],
  ['DataExportDefaultTime', 'hour'],
  ['ChannelDisableThreshold', '5', 0],
  ['ModelRequestRateLimitDurationMinutes', '1', 0],
  ['ModelRequestRateLimitSuccessCount', '1000', 1],
  ['general_setting.ping_interval_seconds', '60', 1],
  ['gemini.thinking_adapter_enabled', 'false'],
  ['gemini.thinking_adapter_budget_tokens_percentage', '0.6', 0.1, 1],
  ['claude.thinking_adapter_enabled', 'true'],
  ['claude.thinking_adapter_budget_tokens_percentage', '0.8', 0.1, 1],
  ['Price', '7.3'],
  ['MinTopUp', '1'],
  ['DisplayInCurrencyEnabled', 'true'],
] as const)('%s is %s where nobody has changed it', (key, initial, ...[min, max]) => {
  const setting = declaredSettingCards.flatMap(({ settings }) => settings).find((one) => one.key === key)!
  expect(setting).toMatchObject({
    initial,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  })
})
