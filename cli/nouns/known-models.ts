// Models that were probably meant by a mistyped name. A name that is not listed may still be valid (a suffix, an alias),
// so no command refuses one itself.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, type Words } from '../../core/errors.ts'
import type { ResultPrinter } from '../output/output.ts'
import { words } from '../texts.ts'
import { listSimilarNames, suggestNames } from './names.ts'

/** Lists the names of the served models: all of them for administrators, of a user those of the own groups. */
export const listServedModels = (weir: WeirClient): Promise<string[]> =>
  weir.channels.modelsEnabled().catch(() => weir.users.models())

/** Adds to a problem with a model which models were probably meant, if no channel serves it. */
export async function suggestModels(weir: WeirClient, problem: Words, model: string): Promise<Words> {
  const served = await listServedModels(weir).catch((): string[] => [])
  return served.includes(model) ? problem : suggestNames(problem, model, served)
}

/** Warns that no channel serves a model, if it is probably a mistyped name of one that is served. */
export function warnUnknownModel(print: ResultPrinter, model: string, served: readonly string[]): void {
  if (served.includes(model) || listSimilarNames(model, served).length === 0) return
  print.warn(suggestNames(fillTemplate(words('No channel serves {model}.'), { model }), model, served))
}
