// The declarations of every setting in the order of the screen: its tab, its card and its place there.
import { cards, getCardTab, tabs, type Card } from '../../../core/settings/cards.data.ts'
import { toSettingFacts } from '../../../core/settings/facts.ts'
import { declaredSettings } from '../../../core/settings/index.ts'
import type { Setting } from '../../../core/settings/setting.ts'

/** Longer defaults, such as built-in tables, are left out: the page does not need them to open. */
const LONGEST_DEFAULT = 300

const all = Object.entries(declaredSettings as Record<string, Setting<unknown>>).map(([key, setting]) => {
  const { initial, ...facts } = toSettingFacts(key, setting)
  return { ...facts, ...(initial.length > LONGEST_DEFAULT ? {} : { initial }) }
})

export const declaredSettingCards = (Object.keys(cards) as Card[]).map((card) => ({
  card,
  tab: getCardTab(card),
  title: cards[card],
  settings: all.filter((setting) => setting.card === card).sort((one, other) => one.order - other.order),
}))

export const settingTabTitles = tabs
