// `weir open`: opens a page of the console in the browser.
import { fillTemplate, joinList } from '../../core/errors.ts'
import { getPublicAddress, getRunningAddress } from '../connection/address.ts'
import { openInBrowser } from '../browser.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { asUntranslatedText } from '../language.ts'
import { words } from '../texts.ts'
import { flag, text, type OutputView } from '../output/view.ts'

/** Pages of the console by the first word of their route. */
export const CONSOLE_PAGES = [
  'home',
  'about',
  'alerts',
  'playground',
  'chat',
  'keys',
  'pricing',
  'detail',
  'channel',
  'prices',
  'token',
  'log',
  'midjourney',
  'task',
  'teams',
  'user',
  'audit',
  'login',
  'setup',
  'device',
  'register',
  'reset',
  'topup',
  'redemption',
  'personal',
  'setting',
] as const

interface OpenedPage {
  page: string
  url: string
  opened: boolean
}

const openedView: OutputView<OpenedPage> = {
  url: text(words('ADDRESS'), 1, ({ url }) => url),
  page: text(words('PAGE'), 1, ({ page }) => page),
  opened: flag(words('OPENED'), 1, ({ opened }) => opened),
}

export const openCommand = command({
  name: 'open',
  readOnly: true,
  output: { view: openedView, many: false },
  summary: words('Open the console in the browser'),
  details: fillTemplate(
    words('Pages: {consolePages}. Without a browser, over ssh, in a pipe and with --json it prints the address.'),
    { consolePages: joinList(CONSOLE_PAGES) },
  ),
  arguments: { page: { spec: '[page]', help: words('which page (default: home)') } },
  async run(context) {
    const { args, env, print, terminal } = context
    const page = args.page ?? 'home'
    if (!(CONSOLE_PAGES as readonly string[]).includes(page))
      throw new UsageError(
        fillTemplate(words('Unknown page {page}: choose one of {consolePages}.'), {
          page,
          consolePages: joinList(CONSOLE_PAGES),
        }),
      )
    const connection = await context.connection()
    await getRunningAddress(connection)
    const url = `${await getPublicAddress(connection, context)}/${page === 'home' ? '' : page}`
    const opened = terminal.interactive && (await openInBrowser(url, env))
    await print.done({ page, url, opened }, openedView, {
      human: opened ? fillTemplate(words('Opened {url}'), { url }) : asUntranslatedText(url),
      quietOutput: url,
    })
  },
})
