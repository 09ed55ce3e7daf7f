// The server's status: requested once at start, stored in the browser, the same for every component.
import type { Status } from '../../core/site/status.ts'
import { goTo, routerBase } from './base.ts'
import { client, RequestFailure } from './client.ts'
import { noteVersion } from './connection.ts'
import { notify } from './notify.ts'
import { storeStatus, preferences, usePreference } from './preferences.ts'
import { statusBefore } from './status-before.built.ts'
import { translate } from './texts.tsx'

export const useStatus = (): Status => ({ ...statusBefore, ...usePreference(preferences.status) })

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
