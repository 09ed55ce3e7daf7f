// The pages of the settings: each tab of the specification has some, and each page shows five to ten settings of one or
// several cards, with one button that saves them.
import { text, type TextKey } from '../../data/texts.tsx'
import { declaredSettingCards } from './declared.built.ts'
import type { DeclaredCard } from './form.ts'

export interface SettingsPage {
  tab: string
  /** Its name in the address. */
  page: string
  title: TextKey
  cards: readonly DeclaredCard[]
}

/** By tab and name: the title and the cards, in the order of the menu. The first of a tab is the one that opens. */
const PAGES: Readonly<Record<string, Readonly<Record<string, readonly [title: TextKey, cards: readonly string[]]>>>> = {
  operation: {
    general: [text('General'), ['general']],
    groups: [text('Groups and quota'), ['groups', 'quota']],
    prices: [text('Model prices'), ['prices']],
    tools: [text('Chat, drawing and tasks'), ['chat', 'drawing']],
    sensitive: [text('Sensitive words and dashboard'), ['sensitive', 'dashboard']],
    logs: [text('Log and stored bodies'), ['logs', 'bodies']],
    monitoring: [text('Monitoring'), ['monitoring']],
    routing: [text('Routing'), ['routing']],
    waits: [text('Time limits and sizes'), ['waits']],
  },
  ratelimit: { limits: [text('Rate limits'), ['requests', 'limits']] },
  models: {
    gemini: [text('Gemini'), ['gemini']],
    claude: [text('Claude'), ['claude']],
    global: [text('All models and stored responses'), ['global', 'responses']],
  },
  system: {
    server: [text('Server and network'), ['server', 'worker', 'network']],
    payment: [text('Payment'), ['payment']],
    services: [text('Payment services'), ['epay', 'stripe']],
    login: [text('Login and registration'), ['login']],
    registration: [text('Registration checks'), ['email', 'turnstile']],
    mail: [text('Mail'), ['smtp']],
    oidc: [text('OIDC'), ['oidc']],
    others: [text('Other sign-in services'), ['github', 'linuxdo', 'wechat', 'telegram']],
  },
  other: {
    content: [text('Contents of the site'), ['content']],
    version: [text('Version'), ['version']],
  },
}

export const allSettingsPages: readonly SettingsPage[] = Object.entries(PAGES).flatMap(([tab, pages]) =>
  Object.entries(pages).map(([page, [title, names]]) => ({
    tab,
    page,
    title,
    cards: names.map((name) => declaredSettingCards.find(({ card }) => card === `${tab}.${name}`)!),
  })),
)

export const listTabPages = (tab: string): SettingsPage[] => allSettingsPages.filter((page) => page.tab === tab)

/** The page with the card. */
export const getPageOfCard = (card: string): SettingsPage =>
  allSettingsPages.find(({ cards }) => cards.some((one) => one.card === card))!

/** The query of the page's address; `tab` is that of the specification. */
export const toPageQuery = ({ tab, page }: Pick<SettingsPage, 'tab' | 'page'>): string => `?tab=${tab}&page=${page}`

/** Finds the page of an address: by its name, else by the card that the fragment names, else the first of the tab. */
export function findSettingsPage(tab: string, page: string, hash: string): SettingsPage {
  const pages = listTabPages(tab)
  const card = hash.slice(1)
  return (
    pages.find((one) => one.page === page) ??
    pages.find(({ cards }) => cards.some((one) => one.card === card)) ??
    pages[0]!
  )
}
