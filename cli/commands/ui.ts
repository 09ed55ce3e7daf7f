// `weir ui` and `weir top`: the whole terminal as a screen.
import { command, type CommandEnvironment } from '../command.ts'
import { UsageError } from '../failure.ts'
import { fillTemplate } from '../../core/errors.ts'
import type { RowOrder } from '../ui/arrange.ts'
import type { AnyPage } from '../ui/page.ts'
import { words } from '../texts.ts'

const NO_TERMINAL = words('This needs a terminal: use `weir status --watch 2s` or `weir logs tail` elsewhere.')

/** Loaded only here, because the drawing library slows every start. Production mode skips its development checks. */
async function show(
  context: CommandEnvironment,
  { mouse, sort }: { mouse?: boolean | undefined; sort?: string | undefined },
  choose: (pages: readonly AnyPage[]) => readonly AnyPage[],
): Promise<void> {
  if (!context.terminal.interactive) throw new UsageError(NO_TERMINAL)
  process.env.NODE_ENV ??= 'production'
  // The drawing library chooses its colours at load time and does not know NO_COLOR.
  if (context.env.NO_COLOR && !context.env.FORCE_COLOR) process.env.FORCE_COLOR = '0'
  const [{ runUi }, { allPages: pages }] = await Promise.all([import('../ui/run.tsx'), import('../ui/pages/index.ts')])
  const shown = choose(pages)
  await runUi(context, shown, {
    mouse: mouse === true,
    ...(sort === undefined ? {} : { order: toOrder(sort, shown[0]) }),
  })
}

/** Finds the column to sort by. @throws UsageError if the page has none of this name */
function toOrder(field: string, page: AnyPage | undefined): RowOrder {
  const columns = Object.entries(page?.view ?? {}).filter(([, { rank }]) => rank > 0)
  const names = columns.map(([name]) => name)
  const [, found] = columns.find(([name]) => name === field) ?? []
  if (!found) throw new UsageError(fillTemplate(words('--sort takes one of {names}.'), { names: names.join(', ') }))
  return { field, descending: found.kind !== 'text' && found.kind !== 'word' }
}

const mouse = {
  flag: '--mouse',
  help: words('use the mouse from the start; M turns it on and off'),
} as const

export const uiCommand = command({
  name: 'ui',
  alone: true,
  summary: words('Administer and watch everything on one screen'),
  options: { mouse },
  run: (context) => show(context, context.options, (pages) => pages),
})

export const topCommand = command({
  name: 'top',
  alone: true,
  summary: words('Watch calls as they come, with their figures'),
  options: {
    mouse,
    sort: {
      flag: '--sort <column>',
      help: words('rank the calls by a column, such as took or charge; < and > change it'),
    },
  },
  run: (context) => show(context, context.options, (pages) => pages.filter(({ name }) => name === 'live')),
})
