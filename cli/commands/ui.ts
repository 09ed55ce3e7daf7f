// `weir ui` and `weir top`: the whole terminal as a screen.
import { words } from '../../core/errors.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { UsageError } from '../failure.ts'
import type { AnyPage } from '../ui/page.ts'

const NO_TERMINAL = words(
  'This needs a terminal: use `weir status --watch 2s` or `weir logs tail` elsewhere.',
  '此命令需要终端：其他场合请用 `weir status --watch 2s` 或 `weir logs tail`。',
)

/** Loaded only here, because the drawing library slows every start. Production mode skips its development checks. */
async function show(
  context: CommandEnvironment,
  mouse: boolean | undefined,
  choose: (pages: readonly AnyPage[]) => readonly AnyPage[],
): Promise<void> {
  if (!context.terminal.interactive) throw new UsageError(NO_TERMINAL)
  process.env.NODE_ENV ??= 'production'
  // The drawing library chooses its colours at load time and does not know NO_COLOR.
  if (context.env.NO_COLOR) process.env.FORCE_COLOR = '0'
  const [{ runUi }, { pages }] = await Promise.all([import('../ui/run.tsx'), import('../ui/pages/index.ts')])
  await runUi(context, choose(pages), mouse === true)
}

const mouse = {
  flag: '--mouse',
  help: words('use the mouse from the start; M turns it on and off', '启动时即启用鼠标；按 M 开关'),
} as const

export const ui = command({
  name: 'ui',
  alone: true,
  summary: words('Administer and watch everything on one screen', '在全屏界面中管理与查看一切'),
  options: { mouse },
  run: (context) => show(context, context.options.mouse, (pages) => pages),
})

export const top = command({
  name: 'top',
  alone: true,
  summary: words('Watch calls as they come, with their figures', '实时查看调用及其指标'),
  options: { mouse },
  run: (context) => show(context, context.options.mouse, ([live]) => (live ? [live] : [])),
})
