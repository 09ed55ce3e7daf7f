// The site's public endpoints.
import type { Handlers } from '../auth/handler.ts'
import { fail } from '../errors.ts'
import { seconds } from '../ports/clock.ts'
import type { Web } from '../ports/web.ts'
import type { Settings } from '../settings/index.ts'
import type { site, Status } from './contract.ts'
import { latestRelease } from './release.ts'
import { isHere, setUp, type SetupPorts } from './setup.ts'

export function createSiteHandlers(ports: SetupPorts & { web: Web }): Handlers<typeof site> {
  const { storage, snapshot, version, clock } = ports
  const startTime = seconds(clock)
  return {
    status: async () => status(snapshot.current(), version, startTime, (await storage.setup.find()) !== null),
    async check() {
      await storage.setup.find().catch((cause: unknown) => fail('storage.away', {}, { cause }))
      return null
    },
    async setupStatus(_, { caller }) {
      if (await storage.setup.find()) return { status: true, root_init: false, database_type: '', code_required: false }
      const root_init = (await storage.users.findRoot()) !== null
      return { status: false, root_init, database_type: storage.kind, code_required: !isHere(caller) }
    },
    setup: (request, context) => setUp(ports, request, context),
    release: () => latestRelease(ports.web, snapshot.current()['general_setting.release_url'], version),
    notice: async () => snapshot.current().Notice,
    about: async () => snapshot.current().About,
    home: async () => snapshot.current().HomePageContent,
  }
}

function status(settings: Settings, version: string, start_time: number, setup: boolean): Status {
  return {
    version,
    start_time,
    setup,
    system_name: settings.SystemName,
    logo: settings.Logo,
    footer_html: settings.Footer,
    server_address: settings.ServerAddress,
    docs_link: settings['general_setting.docs_link'],
    top_up_link: settings.TopUpLink,
    quota_per_unit: settings.QuotaPerUnit,
    display_in_currency: settings.DisplayInCurrencyEnabled,
    default_collapse_sidebar: settings.DefaultCollapseSidebar,
    self_use_mode_enabled: settings.SelfUseModeEnabled,
    demo_site_enabled: settings.DemoSiteEnabled,
    register_enabled: settings.RegisterEnabled,
    password_login: settings.PasswordLoginEnabled,
    password_register: settings.PasswordRegisterEnabled,
    enable_drawing: settings.DrawingEnabled,
    enable_task: settings.TaskEnabled,
    enable_data_export: settings.DataExportEnabled,
    data_export_default_time: settings.DataExportDefaultTime,
    chats: settings.Chats,
    email_verification: settings.EmailVerificationEnabled,
    github_oauth: settings.GitHubOAuthEnabled,
    github_client_id: settings.GitHubClientId,
    linuxdo_oauth: settings.LinuxDOOAuthEnabled,
    linuxdo_client_id: settings.LinuxDOClientId,
    oidc_enabled: settings['oidc.enabled'],
    oidc_client_id: settings['oidc.client_id'],
    oidc_authorization_endpoint: settings['oidc.authorization_endpoint'],
    telegram_oauth: settings.TelegramOAuthEnabled,
    telegram_bot_name: settings.TelegramBotName,
    wechat_login: settings.WeChatAuthEnabled,
    wechat_qrcode: settings.WeChatAccountQRCodeImageURL,
    turnstile_check: settings.TurnstileCheckEnabled,
    turnstile_site_key: settings.TurnstileSiteKey,
    price: settings.Price,
    min_topup: settings.MinTopUp,
    enable_online_topup: settings.PayAddress !== '' && settings.EpayId !== '' && settings.EpayKey !== '',
    enable_stripe_topup: settings['stripe.secret_key'] !== '' && settings['stripe.webhook_secret'] !== '',
    stripe_price: settings['stripe.price'],
    stripe_currency: settings['stripe.currency'],
    mj_notify_enabled: settings.MjNotifyEnabled,
    // The ledger writes what arrives together in one commit, always; nothing is collected beyond it.
    enable_batch_update: false,
  }
}
