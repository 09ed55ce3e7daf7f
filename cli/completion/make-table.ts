// Builds the table from the commands themselves: the slow way, taken once after each installation.
import { endpointsByName } from '../../core/contracts.ts'
import { allCommands } from '../commands/index.ts'
import { globalOptions } from '../program.ts'
import { toCompletionTable, type CompletionTable } from './table.ts'

export async function buildCompletionTable(): Promise<CompletionTable> {
  const [{ declaredSettings }, { referencePages: pages }] = await Promise.all([
    import('../../core/settings/index.ts'),
    import('../reference/index.ts'),
  ])
  const settingNames = Object.keys(declaredSettings)
  const topics = pages.map(({ topic }) => topic)
  return toCompletionTable(allCommands, globalOptions, {
    'call endpoint': [...endpointsByName.keys()],
    'docs topic': [...topics, 'man'],
    'docs noun': allCommands.map(({ name }) => name),
    'settings key': settingNames,
    'settings name': settingNames,
  })
}
