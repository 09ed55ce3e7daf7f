// Writes the data file of facts from copies of models.dev's and LiteLLM's lists:
//
//   npm run facts -- --models-dev api.json --litellm model_prices_and_context_window.json --date 2026-11-29
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseDay, isCatalogueFields, type CatalogueFields } from '../../core/prices/catalogue.ts'
import { isLiteLlm } from '../../core/prices/litellm.ts'
import { isModelsDev } from '../../core/prices/models-dev.ts'
import { buildFacts } from './build.ts'
import { findFaults, formatFactsFile } from './file.ts'

const PLACE = fileURLToPath(new URL('../../core/models/model-facts.data.ts', import.meta.url))

const { values: given } = parseArgs({
  options: {
    'models-dev': { type: 'string' },
    litellm: { type: 'string' },
    date: { type: 'string' },
    out: { type: 'string', default: PLACE },
  },
})

const stop = (...reasons: string[]): never => {
  process.stderr.write(`${reasons.join('\n')}\n`)
  process.exit(1)
}

const { 'models-dev': modelsDevPath, litellm: liteLlmPath, date = '' } = given
if (!modelsDevPath || !liteLlmPath || parseDay(date) === '')
  stop('usage: npm run facts -- --models-dev PATH --litellm PATH --date YYYY-MM-DD [--out PATH]')

async function readList(
  path: string,
  isList: (list: unknown) => list is CatalogueFields,
): Promise<[string, CatalogueFields]> {
  const text = await readFile(path, 'utf8')
  const list: unknown = JSON.parse(text)
  return isList(list) ? [text, list] : stop(`${path} is another kind of list`)
}

const modelsDev = await readList(modelsDevPath!, isModelsDev)
const liteLlm = await readList(
  liteLlmPath!,
  (list): list is CatalogueFields => isCatalogueFields(list) && isLiteLlm(list),
)
const { file, outdated } = buildFacts({ modelsDev, liteLlm, date })
if (outdated.length > 0)
  stop(
    ...outdated.map((name) => `${name}: the lists agree with its correction: take it out of facts/corrections.data.ts`),
  )
const faults = findFaults(file)
if (faults.length > 0) stop(...faults)
await writeFile(given.out, formatFactsFile(file))
process.stdout.write(`${file.models.length} models in ${given.out}\n`)
