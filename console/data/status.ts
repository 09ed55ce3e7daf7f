// The server's status: requested once at start, stored in the browser, the same for every component.
import { signInServiceList, type SignInStatus } from '../../core/settings/sign-in-services.ts'
import type { Status } from '../../core/site/contract.ts'
import { translate } from './texts.tsx'
import { goTo, routerBase } from './base.ts'
import { client, RequestFailure } from './client.ts'
import { noteVersion } from './connection.ts'
import { notify } from './notify.ts'
import { storeStatus, preferences, usePreference } from './preferences.ts'
const noSignIn = Object.fromEntries(
  signInServiceList.flatMap(({ shown, tells }) => [[shown, false], ...Object.keys(tells).map((name) => [name, ''])]),
) as SignInStatus

/** Shown until the server has answered for the first time. */
const unknown: Status = {
  version: '',
  start_time: 0,
  setup: true,
  system_name: 'Weir',
  logo: '',
  theme_color: '',
  footer_html: '',
  server_address: '',
  docs_link: '',
  top_up_link: '',
  quota_per_unit: 500000,
  display_in_currency: true,
  report_time_zone: '',
  default_collapse_sidebar: false,
  self_use_mode_enabled: false,
  demo_site_enabled: false,
  register_enabled: false,
  password_login: true,
  password_register: false,
  quota_for_invitee: 0,
  enable_drawing: false,
  enable_task: false,
  enable_data_export: false,
  data_export_default_time: 'hour',
  chats: [],
  email_verification: false,
  ...noSignIn,
  turnstile_check: false,
  turnstile_site_key: '',
  price: 0,
  min_topup: 1,
  invoice_seller: '',
  enable_online_topup: false,
  enable_stripe_topup: false,
  stripe_price: 0,
  stripe_currency: 'usd',
  mj_notify_enabled: false,
  enable_batch_update: false,
}

export const useStatus = (): Status => ({ ...unknown, ...usePreference(preferences.status) })

/** The base URL for API clients: the address that the operator set, otherwise the one this page came from. */
export const useServerAddress = (): string =>
  useStatus().server_address || window.location.origin + (routerBase === '/' ? '' : routerBase)

/** The time zone of days, weeks and months: the operator's, otherwise the browser's. */
export const getReportZone = (): string =>
  preferences.status.read()?.report_time_zone || new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Requests the status and stores it. @throws RequestFailure */
export async function refreshStatus(): Promise<Status> {
  const status = await client.site.status()
  storeStatus(status)
  noteVersion(status.version)
  return status
}

/** Requests the status, and opens the setup if the server is not set up yet. */
export async function loadStatus(): Promise<void> {
  try {
    const status = await refreshStatus()
    if (!status.setup && !window.location.pathname.endsWith('/setup')) goTo('/setup')
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error
    notify.error(error.status === 200 ? translate('Unable to connect to server') : translate('Failed to load status'))
  }
}
