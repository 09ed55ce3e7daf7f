// Builds the table from the commands themselves: the slow way, taken once after each installation.
import { endpoints } from '../../core/contracts.ts'
import { commands } from '../commands/index.ts'
import { globalOptions } from '../program.ts'
import { tableOf, type Table } from './table.ts'

export async function makeTable(): Promise<Table> {
  const [{ declaredSettings }, { pages }] = await Promise.all([
    import('../../core/settings/index.ts'),
    import('../reference/index.ts'),
  ])
  const settingNames = Object.keys(declaredSettings)
  const topics = pages.map(({ topic }) => topic)
  return tableOf(commands, globalOptions, {
    'call endpoint': [...endpoints.keys()],
    'docs topic': topics,
    'settings key': settingNames,
    'settings name': settingNames,
  })
}
