// Decides which modules share a file. Each file is a request, and each byte of a file is loaded by every screen that needs
// anything of it: so a module is with the others that the same screens show first.
import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'

/** Matches any of the patterns: `/` for both kinds of separator and `~/` for the folder of this repository. */
export const matchPath = (...patterns: string[]) => {
  const parts = fileURLToPath(new URL('..', import.meta.url)).split(/[\\/]/)
  const root = parts.map((part) => part.replace(/[.*+?^${}()|[\]]/g, '\\$&')).join('/')
  // oxlint-disable-next-line weir/no-pattern-of-text -- the patterns are constants of this file
  return new RegExp(patterns.join('|').replaceAll('~/', `^${root}`).replaceAll('/', '[\\\\/]'))
}

/** Modules that every screen needs: React, the frame, the data, and what may be over a page. */
const BASE = matchPath(
  // Without the modules that are loaded on demand.
  '~/console/(main|shell/(?!palette|terminal|command-lines|conflict-|shortcut-list|acts|fireworks)|data/(?!failure-words|follow|download|secret-fields|use-retold|use-walk|use-translated-log-text))',
  '~/console/parts/((form|overlay|status|text)/)?(avatar|button|commands|confirm|copy|countdown-button|dialog|empty|field|human-check|load-later|markdown|menu|note|rich-text|tags|texts|tips|top-layer|undo|unloaded|use-mobile|use-width|waiting)\\.',
  '~/core/(errors|texts|contract/(foreign-scripts|framed)|auth/sign-in-services|settings/theme-color)',
  '/@tanstack/(react-)?query',
  '/semi-(ui|foundation)/.*/(_utils|_base|base|button|iconButton|input/(?!textarea|util)|spin|utils)/',
  '/semi-icons/.*/(components|Icon(AlertTriangle|Close|InfoCircle|Home|Language|Menu|Moon|More|Search|Sun|Terminal|Exit|Sidebar|Lock|Key|Mail|Copy|TickCircle)\\.js)',
  '(vite/preload|rolldown/runtime)',
  'node_modules/(react|react-dom|react-router|scheduler)/',
)

/** The parts of lists, and small modules of several screens. */
const LIST = matchPath(
  '~/console/parts/(table/(?!column-dialog|virtual-rows|save-rows)|filters/(?!filter-picker|filter-sheet))',
  '~/console/parts/(chart/(chart|data)|form/(choice|combobox|date-time|radio-row)|media/(media|media-button|use-viewer)|status/(managed-note|meter|progress)|text/(brand-marks?|client-guide|code-block|count|long-text|operators-page|quota|time|took|word)|overlay/foreign-frame|page-head|tabs|use-anchor|use-printed|use-seen)\\.',
  '~/console/data/(follow|download|use-translated-log-text)\\.',
  '~/console/screens/(logs/detail(-kinds)?|setup/use-facts)\\.',
  '~/core/(calls/(detail|log-entry)|channels/channel|contract/(base-url|chat-links|control|replies|time-zone|url)|logs/(event-texts|sentence-matcher)|models/model-kind|pricing/typed-amount|quota/(calendar|dead-letters)|tokens/(chat-code|clients|guides|shell|token)|users/authority)\\.',
  '/semi-(ui|foundation)/.*/(checkbox|switch)/',
  '/semi-icons/',
)

/** The fields of forms, most of which are in panels and dialogs that are opened later. */
const FORM = matchPath(
  '~/console/parts/(form/|overlay/side-panel\\.)',
  '~/console/screens/(tokens/form\\.built|prices/dollar-input)',
  '/semi-(ui|foundation)/.*/(inputNumber|input|locale|radio)/',
  '~/console/semi-locale',
)

/** Screens that share most of their code are one file, by its name. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  'sign-in': ['login', 'register', 'reset'],
  channels: ['channels', 'channel'],
  users: ['users', 'user'],
  teams: ['teams', 'team'],
  tasks: ['tasks', 'drawings'],
  prices: ['prices', 'pricing'],
  keys: ['keys', 'chat', 'chat2link'],
}

/** Modules of one family that another screen shows, too. */
const NAMED = {
  'screen-sign-in': matchPath('~/console/screens/login/'),
  'screen-prices': matchPath('~/core/(pricing|dialects)/'),
}

const PAGE = /[\\/]console[\\/]screens[\\/]([^\\/]+)[\\/]page\.tsx$/
const SCREEN = /[\\/]console[\\/]screens[\\/]([^\\/]+)[\\/]/
/** The modules of Weir itself: a module of a package that several screens use gets a separate file. */
const OWN = matchPath('~/console/', '~/core/')

/** Returns the screens that show a module first: those whose pages import it, themselves or through others. */
function findScreens(id: string, graph: Rolldown.ChunkingContext): Set<string> {
  const above = new Set([id])
  for (const each of above) for (const importer of graph.getModuleInfo(each)?.importers ?? []) above.add(importer)
  return new Set([...above].flatMap((each) => PAGE.exec(each)?.[1] ?? []))
}

/** Names the file of a module by the screens that show it first; null if none does. */
function nameByScreens(id: string, graph: Rolldown.ChunkingContext): string | null {
  const families = new Set([...findScreens(id, graph)].map(findFamily))
  if (families.size === 0 || (families.size > 1 && !OWN.test(id))) return null
  if (families.size === 1) return `screen-${[...families][0]}`
  const [named] = Object.entries(NAMED).find(([, pattern]) => pattern.test(id)) ?? []
  return named ?? `of-${SCREEN.exec(id)?.[1] ?? 'several'}`
}

const findFamily = (screen: string): string =>
  Object.entries(FAMILIES).find(([, screens]) => screens.includes(screen))?.[0] ?? screen

export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: 'base', test: BASE, priority: 3 },
  { name: 'list', test: LIST, priority: 2 },
  { name: 'form', test: FORM, priority: 1.5 },
  { name: nameByScreens, debugName: 'screens', priority: 1, includeDependenciesRecursively: false },
]
