// Acts of the command palette on settings: one that leads to each card.
import { cards, getCardTab, tabs, type Card } from '../../../core/settings/cards.data.ts'
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: (Object.keys(cards) as Card[]).map((card) => {
    const [tab, title] = [tabs[getCardTab(card)], cards[card]]
    return {
      key: `settings.${card}`,
      title: (t, language) => t('Settings: {tab}, {card}', { tab: tab[language], card: title[language] }),
      access: 'admin' as const,
      run: (go) => go(`/setting?tab=${getCardTab(card)}#${card}`),
    }
  }),
})
