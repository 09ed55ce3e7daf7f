// The channels that a command is about, by id, name or tag, and what it says of them when it is done.
import type { Channel } from '../../../core/channels/channel.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import { describeImpact } from '../../../core/channels/loss-words.ts'
import { words } from '../../../core/errors.ts'
import { UsageError } from '../../failure.ts'
import type { Said } from '../../language.ts'
import { needChannel, needTagged } from '../../nouns/channel.ts'
import type { Printer } from '../../output.ts'
import type { View } from '../../view.ts'

export const oneChannel = { spec: '<channel>', help: words('id or name', '编号或名称') } as const
export const someChannels = { spec: '[channels...]', help: words('ids or names', '编号或名称') } as const
export const tagOption = {
  flag: '--tag <tag>',
  help: words('all channels of this tag', '此标签的全部渠道'),
} as const

/** Said where a result may be one thing or a list. */
export const ONE_OR_LIST = words(
  'For programs: of one channel an object, of several or with --tag a list.',
  '供程序使用：单个渠道输出对象，多个渠道或使用 --tag 时输出列表。',
)

/** Checks at once that something is named, in one way. @throws UsageError */
export function needNamed(names: readonly string[], tag: string | undefined): void {
  if (names.length > 0 !== (tag !== undefined)) return
  throw new UsageError(words('Name channels, or give --tag: one of the two.', '请指定渠道或给出 --tag，二者取其一。'))
}

/** Those that are named; with a tag all of it. @throws Refusal naming what there is not */
export async function chosenChannels(
  weir: WeirClient,
  names: readonly string[],
  tag: string | undefined,
): Promise<Channel[]> {
  if (tag !== undefined) return needTagged(weir, tag)
  const found: Channel[] = []
  for (const name of names) found.push(await needChannel(weir, name))
  return found
}

/** Says which models lose their only channel with these, and whether there were any. */
export async function saidLosses(print: Printer, weir: WeirClient, rows: readonly { id: number }[]): Promise<boolean> {
  const losses = describeImpact(await weir.channels.consequences({ ids: rows.map(({ id }) => id) }))
  for (const loss of losses) print.warn(loss, { always: true })
  return losses.length > 0
}

/** What a change of some rows has come to: a sentence each for people, for programs one object or a list. */
export async function tellEach<T extends { id: number }>(
  print: Printer,
  rows: readonly T[],
  view: View<T>,
  { many, human }: { many: boolean; human(row: T): Said },
): Promise<void> {
  const [only] = rows
  if (!many && only) return print.done(only, view, { human: human(only), bare: String(only.id) })
  if (print.form !== 'human') return print.list(rows, view)
  for (const row of rows) print.say(human(row))
}
