// Acts of the command palette on settings: one that leads to each card.
import { cards, tabOf, tabs, type Card } from '../../../core/settings/cards.data.ts'
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: (Object.keys(cards) as Card[]).map((card) => {
    const [tab, title] = [tabs[tabOf(card)], cards[card]]
    return {
      key: `settings.${card}`,
      title: { en: `Settings: ${tab.en}, ${title.en}`, zh: `设置：${tab.zh}，${title.zh}` },
      access: 'admin' as const,
      run: (go) => go(`/setting?tab=${tabOf(card)}#${card}`),
    }
  }),
})
