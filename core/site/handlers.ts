// The site's public endpoints.
import type { Handlers } from '../auth/handler.ts'
import { seconds } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import type { site, Status } from './contract.ts'
import { isHere, setUp, type SetupPorts } from './setup.ts'

export function createSiteHandlers(ports: SetupPorts): Handlers<typeof site> {
  const { storage, snapshot, version, clock } = ports
  const startTime = seconds(clock)
  return {
    status: async () => status(snapshot.current(), version, startTime, (await storage.setup.find()) !== null),
    async setupStatus(_, { caller }) {
      if (await storage.setup.find()) return { status: true, root_init: false, database_type: '', code_required: false }
      const root_init = (await storage.users.findRoot()) !== null
      return { status: false, root_init, database_type: storage.kind, code_required: !isHere(caller) }
    },
    async setup(request, { caller }) {
      await setUp(ports, request, caller)
      return null
    },
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
  }
}
