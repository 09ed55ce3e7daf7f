// Finds settings on the page and reads saved changes, for the tests of the settings.
import type { Page } from 'playwright-core'
import { getCardTab, type Card } from '../../core/settings/cards.data.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import type { useConsole } from './visit.ts'

export interface Sent {
  key: string
  value: string | null
  was?: string
}

/** The address of the page with a card. */
export const at = (card: Card) => `/setting?tab=${getCardTab(card)}#${card}`

/** The address of the page with a setting. */
export const atSetting = (key: keyof typeof declaredSettings) => at(declaredSettings[key].card)

/** The field of a setting. */
export const row = (page: Page, key: string) => page.locator(`[data-settings~="${key}"]`)

export const card = (page: Page, id: string) => page.locator(`[id="${id}"]`)

/** What each save has sent, oldest first. */
export const sentTo = (site: Pick<ReturnType<typeof useConsole>, 'inputs'>) =>
  site.inputs('settings.update').map(({ options }) => options as Sent[])
