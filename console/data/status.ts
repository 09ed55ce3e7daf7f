// The server's status: it comes with the page, is stored in the browser, and is the same for every component.
import type { PublicStatus } from '../../core/site/status.ts'
import { loadConsolePath, routerBasePath } from './base.ts'
import { apiClient, RequestFailure } from './client.ts'
import { noteVersion } from './connection.ts'
import { showNotice } from './notify.ts'
import { storeServerStatus, storedPreferences, usePreference } from './preferences.ts'
import { statusBefore } from './status-before.built.ts'
import { translate } from './texts.tsx'

export const useServerStatus = (): PublicStatus => ({ ...statusBefore, ...usePreference(storedPreferences.status) })

/** The base URL for API clients: the address that the operator set, otherwise the one this page came from. */
export const useServerAddress = (): string =>
  useServerStatus().server_address || window.location.origin + (routerBasePath === '/' ? '' : routerBasePath)

/** The time zone of days, weeks and months: the operator's, otherwise the browser's. */
export const getReportZone = (): string =>
  storedPreferences.status.read()?.report_time_zone || new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Requests the status and stores it. @throws RequestFailure */
export async function refreshServerStatus(): Promise<PublicStatus> {
  return takeStatus(await apiClient.site.status())
}

function takeStatus(status: PublicStatus): PublicStatus {
  storeServerStatus(status)
  noteVersion(status.version)
  return status
}

/** Returns the status that the server has put into the page; null if there is none that is new. */
function readPageStatus(): PublicStatus | null {
  const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // A page from the browser's history may be of any age.
  if (opened?.type === 'back_forward') return null
  const text = document.getElementById('status')?.textContent
  return text ? (JSON.parse(text) as PublicStatus | null) : null
}

/** Takes the status of the page, or requests it if there is none. Opens the setup if the server is not set up yet. */
export async function loadServerStatus(): Promise<void> {
  try {
    const known = readPageStatus()
    const status = known ? takeStatus(known) : await refreshServerStatus()
    if (!status.setup && !window.location.pathname.endsWith('/setup')) loadConsolePath('/setup')
  } catch (error) {
    if (!(error instanceof RequestFailure)) throw error
    showNotice.error(
      error.status === 200 ? translate('Unable to connect to server') : translate('Failed to load status'),
    )
  }
}
